//! The coordinator and its workers on this machine.

use super::child::{Recipe, Running, Signal};
use crate::client::Server;
use crate::failure::{Done, Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::Status;
use kembara_coordinator::postgres;
use std::ffi::OsString;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A child that dies sooner than this after its start counts as failing at once.
const SOON: Duration = Duration::from_secs(10);

/// So many failures at once in a row are given up on.
const PATIENCE: u32 = 5;

/// How long children may take to end in order.
const FAREWELL: Duration = Duration::from_secs(60);

/// The coordinator may have to make a database, or recover one, before it answers.
const LONGEST_START: Duration = Duration::from_secs(300);

/// What to start.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Worker processes.
    pub workers: u32,
    /// Threads of each; the cores are shared when not given.
    pub threads: Option<u32>,
    /// Where the private database and the logs are.
    pub data_dir: Option<PathBuf>,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Whether that may be an address that other machines can reach.
    pub allow_insecure: bool,
    /// How long a worker may keep games without a sign of life, in seconds.
    pub lease: u32,
}

/// The running processes.
pub struct House {
    server: Server,
    coordinator: Kept,
    workers: Vec<Kept>,
}

/// A child that is started again when it dies.
struct Kept {
    recipe: Recipe,
    running: Running,
    failures: u32,
}

impl House {
    /// Starts everything and waits until the coordinator answers.
    pub fn open(plan: Plan, interrupt: &Interrupt) -> Result<Self, Failure> {
        let data_dir = match &plan.data_dir {
            Some(folder) => folder.clone(),
            None => postgres::default_data_dir().map_err(|error| Failure::failed(error.to_string()))?,
        };
        let logs = postgres::logs_folder(&data_dir).map_err(|error| Failure::failed(error.to_string()))?;
        let listen = with_a_port(plan.listen)?;
        let server = Server::new(&format!("http://{}", reachable(listen)), None)?;
        let recipe = coordinator(&plan, &logs, &data_dir, listen);
        // An old log would be taken for what this coordinator has to say.
        let _ = std::fs::rename(&recipe.log, recipe.log.with_extension("log.old"));
        let mut coordinator = Kept::start(recipe)?;
        coordinator.wait_until_it_listens(interrupt)?;
        let workers = (0..plan.workers)
            .map(|place| Kept::start(worker(&logs, &server, place, threads(&plan, place))))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { server, coordinator, workers })
    }

    /// The coordinator.
    pub const fn server(&self) -> &Server {
        &self.server
    }

    /// Starts again what has died, and says so.
    pub fn mend(&mut self, status: &mut Status) -> Done {
        for kept in std::iter::once(&mut self.coordinator).chain(&mut self.workers) {
            kept.mend(status)?;
        }
        Ok(())
    }

    /// Ends everything in order: workers first, which finish and report what is in hand, then the
    /// coordinator, which stops its database. Being asked again is obeyed at once.
    pub fn close(mut self, interrupt: &Interrupt) {
        let mut workers: Vec<_> = self.workers.iter_mut().map(|kept| &mut kept.running).collect();
        end(&mut workers, interrupt);
        end(&mut [&mut self.coordinator.running], interrupt);
    }
}

/// Asks children to end and waits; kills those that do not, or all when that is insisted on.
fn end(children: &mut [&mut Running], interrupt: &Interrupt) {
    for child in children.iter() {
        child.signal(Signal::Terminate);
    }
    let begun = std::time::Instant::now();
    for child in children {
        while !child.wait(Duration::from_millis(50)) {
            if interrupt.insisted() || begun.elapsed() > FAREWELL {
                child.signal(Signal::Kill);
            }
        }
    }
}

impl Kept {
    fn start(recipe: Recipe) -> Result<Self, Failure> {
        let running = recipe.start()?;
        Ok(Self { recipe, running, failures: 0 })
    }

    /// Waits for its own word: another coordinator may answer at the same address.
    fn wait_until_it_listens(&mut self, interrupt: &Interrupt) -> Done {
        let begun = std::time::Instant::now();
        let mut status = Status::new(Duration::from_secs(10));
        loop {
            if self.recipe.has_said("listening on ") {
                return Ok(());
            }
            if let Some(how) = self.running.ended() {
                // Only now its last words are certainly in the log.
                let said = self
                    .recipe
                    .last_error()
                    .unwrap_or_else(|| format!("it ended with {how}; its log is {}", self.recipe.log.display()));
                return Err(Failure::failed(format!("the coordinator does not start: {said}")));
            }
            if interrupt.asked() {
                return Err(Failure { exit: Exit::Interrupted, message: "interrupted while starting".to_owned() });
            }
            if begun.elapsed() > LONGEST_START {
                return Err(Failure::failed(format!(
                    "the coordinator does not answer; its log is {}",
                    self.recipe.log.display()
                )));
            }
            status.show(|| "starting the coordinator and its database".to_owned());
            interrupt.sleep(Duration::from_millis(50));
        }
    }

    fn mend(&mut self, status: &mut Status) -> Done {
        let Some(how) = self.running.ended() else { return Ok(()) };
        self.failures = if self.running.age() < SOON { self.failures + 1 } else { 1 };
        let said = self.recipe.last_error().unwrap_or_else(|| how.to_string());
        if self.failures >= PATIENCE {
            return Err(Failure::failed(format!(
                "the {} keeps ending: {said}; its log is {}",
                self.recipe.name,
                self.recipe.log.display()
            )));
        }
        status.say(&format!("the {} ended ({said}); starting it again", self.recipe.name));
        if self.failures > 1 {
            std::thread::sleep(Duration::from_secs(1));
        }
        self.running = self.recipe.start()?;
        Ok(())
    }
}

fn coordinator(plan: &Plan, logs: &Path, data_dir: &Path, listen: SocketAddr) -> Recipe {
    let name = "coordinator".to_owned();
    let (listen, lease) = (listen.to_string(), plan.lease.to_string());
    let mut arguments: Vec<OsString> = [&name, "--listen", &listen, "--lease", &lease].map(Into::into).to_vec();
    arguments.extend(["--data-dir".into(), data_dir.into()]);
    arguments.extend(plan.allow_insecure.then(|| "--allow-insecure".into()));
    Recipe { name, arguments, log: logs.join("coordinator.log") }
}

fn worker(logs: &Path, server: &Server, place: u32, threads: u32) -> Recipe {
    let name = format!("worker-{}", place + 1);
    let arguments = ["worker", "--server", server.url(), "--threads", &threads.to_string(), "--name", &name];
    Recipe { arguments: arguments.map(Into::into).to_vec(), log: logs.join(format!("{name}.log")), name }
}

/// The threads of one worker: its share of the cores, the first ones take what is left over.
fn threads(plan: &Plan, place: u32) -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    plan.threads.unwrap_or_else(|| (cores / plan.workers + u32::from(place < cores % plan.workers)).max(1))
}

/// The address with port 0 replaced by a free one, which the workers have to be told.
fn with_a_port(listen: SocketAddr) -> Result<SocketAddr, Failure> {
    if listen.port() != 0 {
        return Ok(listen);
    }
    (TcpListener::bind(listen).and_then(|listener| listener.local_addr()))
        .map_err(|error| Failure::failed(format!("cannot listen on {listen}: {error}; name another with --listen")))
}

/// An address that others on this machine can connect to: any address is this machine's own.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let mut address = listen;
    if address.ip().is_unspecified() {
        address.set_ip(match listen {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

//! Finding trees in a text and taking their main line apart, in one pass and without recursion.

use super::super::damage::Trouble;
use std::borrow::Cow;

/// The most properties of a game's main line, every value counted.
const MAX_PROPERTIES: usize = 10_000;

/// One value of a property.
pub(super) struct Property<'a> {
    /// Its name in capitals.
    pub(super) name: Cow<'a, str>,
    /// The value without its escapes.
    pub(super) value: Cow<'a, str>,
    /// Where the value begins.
    pub(super) at: usize,
}

impl Property<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }
}

/// The main line of a tree.
#[derive(Default)]
pub(super) struct Tree<'a> {
    pub(super) properties: Vec<Property<'a>>,
    /// Variations left out.
    pub(super) variations: u32,
    pub(super) begin: usize,
    /// Behind its last bracket.
    pub(super) end: usize,
}

/// A tree that makes no sense from somewhere on.
pub(super) struct Broken<'a> {
    pub(super) so_far: Tree<'a>,
    pub(super) trouble: Trouble,
    /// From here on the next game may be looked for.
    pub(super) resume: usize,
}

/// Where the next `(;` at or behind an offset stands.
pub(super) fn next_tree(text: &str, from: usize) -> Option<usize> {
    brackets(text, from).find(|&at| node(text, at).is_some())
}

/// As [`next_tree`], but only where a game's own properties follow at once: no variation has these.
pub(super) fn next_root(text: &str, from: usize) -> Option<usize> {
    brackets(text, from).find(|&at| is_root(text, at))
}

fn brackets(text: &str, from: usize) -> impl Iterator<Item = usize> {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    rest.iter().enumerate().filter(|(_, byte)| **byte == b'(').map(move |(place, _)| from + place)
}

/// What follows `(;`, when that is what stands here.
fn node(text: &str, at: usize) -> Option<&[u8]> {
    let inside = text.as_bytes().get(at..)?.strip_prefix(b"(")?;
    inside.trim_ascii_start().strip_prefix(b";")
}

fn is_root(text: &str, at: usize) -> bool {
    let name = node(text, at).unwrap_or_default().trim_ascii_start().get(..3).unwrap_or_default();
    [b"GM[", b"FF["].iter().any(|root| name.eq_ignore_ascii_case(*root))
}

/// Reads the tree that begins here.
pub(super) fn read_tree(text: &str, begin: usize) -> Result<Tree<'_>, Broken<'_>> {
    let mut scanner = Scanner { text, at: begin, name: None, tree: Tree { begin, ..Tree::default() } };
    match scanner.run() {
        Ok(()) => Ok(scanner.tree),
        Err(trouble) => {
            // Never the same bracket again.
            let resume = scanner.at.max(begin + 1);
            Err(Broken { so_far: scanner.tree, trouble, resume })
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The property whose values are read.
    name: Option<Cow<'a, str>>,
    tree: Tree<'a>,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) -> Result<(), Trouble> {
        let mut depth = 0_usize;
        // The main line ends at the first closed bracket; what comes then are variations.
        let mut main = true;
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'(' => {
                    if depth > 0 && is_root(self.text, self.at) {
                        return Err(self.unclosed("the game is not closed before the next one begins"));
                    }
                    depth += 1;
                    self.tree.variations += u32::from(!main);
                    self.name = None;
                }
                b')' => {
                    main = false;
                    depth -= 1;
                    self.name = None;
                    if depth == 0 {
                        self.at += 1;
                        self.tree.end = self.at;
                        return Ok(());
                    }
                }
                b';' => self.name = None,
                b'[' => {
                    let value = self.value()?;
                    if main {
                        self.keep(value)?;
                    }
                    continue;
                }
                _ if byte.is_ascii_alphabetic() => {
                    self.name();
                    continue;
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    let letter = self.text[self.at..].chars().next().unwrap_or_default();
                    return Err(Trouble::new(
                        self.at,
                        format!("{letter:?} is not expected here, but a property as in B[f5]"),
                    ));
                }
            }
            self.at += 1;
        }
        Err(self.unclosed("the game is not closed at the end of the file"))
    }

    fn unclosed(&self, what: &str) -> Trouble {
        Trouble::new(self.at, format!("{what}; a `)` is missing"))
    }

    /// Small letters in a name are decoration in old SGF, unless there are no others.
    fn name(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = &rest[..length];
        self.at += length;
        self.name = Some(if name.bytes().all(|byte| !byte.is_ascii_lowercase()) {
            Cow::Borrowed(name)
        } else if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.chars().filter(|letter| !letter.is_ascii_lowercase()).collect())
        } else {
            Cow::Owned(name.to_ascii_uppercase())
        });
    }

    /// Reads `[value]` and gives the value as written.
    fn value(&mut self) -> Result<(usize, &'a str), Trouble> {
        let open = self.at;
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b']' => {
                    let value = &self.text[open + 1..self.at];
                    self.at += 1;
                    return Ok((open + 1, value));
                }
                // The bracket was forgotten: better one damaged game than two mixed ones.
                b'(' if is_root(self.text, self.at) => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(bytes.len());
        Err(Trouble::new(open, "the value that begins here is not closed; a `]` is missing"))
    }

    fn keep(&mut self, (at, value): (usize, &'a str)) -> Result<(), Trouble> {
        let Some(name) = self.name.clone() else {
            return Err(Trouble::new(at, "a value without a property's name before it"));
        };
        if self.tree.properties.len() == MAX_PROPERTIES {
            return Err(Trouble::new(at, format!("more than {MAX_PROPERTIES} properties in one game")));
        }
        self.tree.properties.push(Property { name, value: unescaped(value), at });
        Ok(())
    }
}

/// A backslash takes the next letter as it is, and a line break behind it away.
fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next().filter(|next| *next != '\n')),
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    kembara_fuzz::specs(bytes);
});

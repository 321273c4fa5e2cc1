//! A record of a game from a stranger: what can be read is written and read again as the same.

#![no_main]

use sandtable_session::Record;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(record) = Record::from_bytes(bytes) {
        let again = Record::parse(&record.to_string());
        assert!(again.is_ok_and(|again| again.same_contents(&record)));
    }
});

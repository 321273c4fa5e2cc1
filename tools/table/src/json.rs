//! JSON written straight into a text. A view has thousands of values; a tree of them would be built only to be thrown away.

use serde::Serialize;

/// A text that grows.
#[derive(Default)]
pub struct Json(Vec<u8>);

impl Json {
    /// An object as a text.
    pub fn object(f: impl FnOnce(&mut Members<'_>)) -> String {
        let mut json = Json::default();
        json.open(f);
        json.text()
    }

    /// The members of an object as a text, to be put into another.
    pub fn members(f: impl FnOnce(&mut Members<'_>)) -> String {
        let mut json = Json::default();
        f(&mut Members { json: &mut json, first: true });
        json.text()
    }

    fn text(self) -> String {
        // Only JSON is written, which is UTF-8.
        String::from_utf8(self.0).unwrap_or_default()
    }

    fn put(&mut self, value: &(impl Serialize + ?Sized)) {
        // Writing to memory does not fail, and all keys are texts.
        let _ = serde_json::to_writer(&mut self.0, value);
    }

    fn open(&mut self, f: impl FnOnce(&mut Members<'_>)) {
        self.0.push(b'{');
        f(&mut Members { json: self, first: true });
        self.0.push(b'}');
    }

    fn list(&mut self, f: impl FnOnce(&mut Items<'_>)) {
        self.0.push(b'[');
        f(&mut Items { json: self, first: true });
        self.0.push(b']');
    }
}

/// The members of an object being written.
pub struct Members<'a> {
    json: &'a mut Json,
    first: bool,
}

impl Members<'_> {
    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.first) {
            self.json.0.push(b',');
        }
        self.json.put(key);
        self.json.0.push(b':');
    }

    /// A value.
    pub fn put(&mut self, key: &str, value: &(impl Serialize + ?Sized)) {
        self.key(key);
        self.json.put(value);
    }

    /// An object.
    pub fn object(&mut self, key: &str, f: impl FnOnce(&mut Members<'_>)) {
        self.key(key);
        self.json.open(f);
    }

    /// A list.
    pub fn list(&mut self, key: &str, f: impl FnOnce(&mut Items<'_>)) {
        self.key(key);
        self.json.list(f);
    }

    /// Members that are JSON already.
    pub fn all(&mut self, members: &str) {
        if members.is_empty() {
            return;
        }
        if !std::mem::take(&mut self.first) {
            self.json.0.push(b',');
        }
        self.json.0.extend_from_slice(members.as_bytes());
    }
}

/// The items of a list being written.
pub struct Items<'a> {
    json: &'a mut Json,
    first: bool,
}

impl Items<'_> {
    fn next(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.json.0.push(b',');
        }
    }

    /// An object.
    pub fn object(&mut self, f: impl FnOnce(&mut Members<'_>)) {
        self.next();
        self.json.open(f);
    }

    /// A value that is JSON already.
    pub fn written(&mut self, json: &str) {
        self.next();
        self.json.0.extend_from_slice(json.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_as_it_was_meant() {
        let inner = Json::members(|all| all.put("a\"b", &1));
        let text = Json::object(|all| {
            all.all("");
            all.all(&inner);
            all.list("list", |items| {
                items.object(|_| {});
                items.written("[true]");
            });
            all.object("inside", |all| all.put("text", "é\n"));
        });
        let expected = serde_json::json!({ "a\"b": 1, "list": [{}, [true]], "inside": { "text": "é\n" } });
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).ok(), Some(expected));
    }
}

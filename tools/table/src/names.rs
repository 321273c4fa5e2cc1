//! Under which names a server is reached: what a request may say in `Host`, and whose pages may use the tables.
//!
//! A page of another site can let a name of its own point to this server; the browser then takes the two for one site. So a
//! server answers to its own names only: `localhost`, the address that a connection came in at, and what its owner says with
//! `--public-url`.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use thiserror::Error;

/// The address at which people reach a server, such as `https://table.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: &'static str,
    name: String,
    port: u16,
}

/// Why a text is not such an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UrlError {
    /// It does not begin as one.
    #[error("`{0}` is not an address; expected http://HOST[:PORT] or https://HOST[:PORT]")]
    Scheme(String),
    /// It has more than a host and a port.
    #[error("`{0}`: only a host and a port may follow the `://`; a table lies at the root of its address")]
    Path(String),
    /// The host or the port is none.
    #[error("`{0}` does not name a host, or its port is not a number from 1 to 65535")]
    Host(String),
}

impl FromStr for PublicUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<PublicUrl, UrlError> {
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => ("http", rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => ("https", rest),
            _ => return Err(UrlError::Scheme(text.into())),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#', '@']) {
            return Err(UrlError::Path(text.into()));
        }
        let (name, port) = split(authority, usual_port(scheme)).ok_or(UrlError::Host(text.into()))?;
        Ok(PublicUrl { scheme, name: name.to_ascii_lowercase(), port })
    }
}

impl PublicUrl {
    /// What links begin with.
    pub fn base(&self) -> String {
        let port =
            if self.port == usual_port(self.scheme) { String::new() } else { format!(":{}", self.port) };
        format!("{}://{}{port}", self.scheme, self.name)
    }

    fn is(&self, name: &str, port: u16) -> bool {
        self.port == port && self.name.eq_ignore_ascii_case(name)
    }
}

fn usual_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

/// The name and the port of an authority, if it is one.
fn split(authority: &str, usual: u16) -> Option<(&str, u16)> {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '[' | ']');
    if !authority.chars().all(fine) {
        return None;
    }
    let (name, port) = match authority.rsplit_once(':') {
        // The colons of an address of version 6 stand in brackets.
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok().filter(|port| *port > 0)?),
        _ => (authority, usual),
    };
    let bracketed = name.starts_with('[') && name.ends_with(']');
    (!name.is_empty() && (bracketed || !name.contains([':', '[', ']']))).then_some((name, port))
}

/// The address that a name is, if it is one and not a name.
fn address(name: &str) -> Option<IpAddr> {
    let address: IpAddr = name.trim_start_matches('[').trim_end_matches(']').parse().ok()?;
    Some(address.to_canonical())
}

/// The names of a server.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// What its owner says.
    pub public: Option<PublicUrl>,
}

impl Names {
    /// Whether this server answers to a `Host`, on a connection that came in at `local`.
    pub fn host(&self, host: &str, local: Option<SocketAddr>) -> bool {
        // Without a port it is the usual one of whichever scheme the proxy before this server speaks.
        let public = |public: &PublicUrl| {
            split(host, usual_port(public.scheme)).is_some_and(|(name, port)| public.is(name, port))
        };
        let Some((name, port)) = split(host, 80) else { return false };
        let own = |local: SocketAddr| {
            address(name) == Some(local.ip().to_canonical())
                && (port == local.port() || local.ip().is_loopback())
        };
        name.eq_ignore_ascii_case("localhost")
            || address(name).is_some_and(|address| address.is_loopback())
            || local.is_some_and(own)
            || self.public.as_ref().is_some_and(public)
    }

    /// Whether a page of an origin may use this server, which was asked under a `Host` that it answers to.
    pub fn origin(&self, origin: &str, host: &str) -> bool {
        let Some((scheme, at)) = origin.split_once("://") else { return false };
        let public = |public: &PublicUrl| {
            scheme == public.scheme
                && split(at, usual_port(scheme)).is_some_and(|(name, port)| public.is(name, port))
        };
        at.eq_ignore_ascii_case(host) || self.public.as_ref().is_some_and(public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(public: &str) -> Names {
        Names { public: public.parse().ok() }
    }

    #[test]
    fn only_its_own_names_are_answered_to() {
        let at = |text: &str| text.parse::<SocketAddr>().ok();
        let own = names("");
        for host in ["localhost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]:8080", "LOCALHOST"] {
            assert!(own.host(host, at("127.0.0.1:8080")), "{host}");
            assert!(own.host(host, at("192.168.1.5:8080")), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org:80",
            "10.0.0.1:80",
            "127.0.0.1.example.org",
            "",
            ":80",
            "192.168.1.5",
            "192.168.1.6:8080",
            "evil@localhost",
            "localhost:99999",
        ] {
            assert!(!own.host(host, at("192.168.1.5:8080")), "{host}");
        }
        assert!(own.host("192.168.1.5:8080", at("192.168.1.5:8080")));
        assert!(own.host("192.168.1.5:8080", at("[::ffff:192.168.1.5]:8080")));
        assert!(own.host("[fd00::1]:8080", at("[fd00::1]:8080")));
        let public = names("https://Table.example.org/");
        for host in ["table.example.org", "TABLE.example.org:443"] {
            assert!(public.host(host, at("10.0.0.1:8080")), "{host}");
        }
        assert!(!public.host("table.example.org:80", at("10.0.0.1:8080")));
        assert!(!public.host("table.example.org.", at("10.0.0.1:8080")));
    }

    #[test]
    fn only_its_own_pages_may_use_a_server() {
        let public = names("https://table.example.org");
        for (origin, host, fine) in [
            ("http://localhost:8080", "localhost:8080", true),
            ("http://localhost:8081", "localhost:8080", false),
            // A proxy that speaks TLS outside and names the host inside as it likes.
            ("https://table.example.org", "127.0.0.1:8080", true),
            ("http://table.example.org", "127.0.0.1:8080", false),
            ("https://table.example.org:8443", "127.0.0.1:8080", false),
            ("https://evil.example.org", "table.example.org", false),
            ("null", "localhost:8080", false),
        ] {
            assert_eq!(public.origin(origin, host), fine, "{origin} at {host}");
        }
    }

    #[test]
    fn a_public_url_is_a_host_and_a_port() {
        let base = |text: &str| text.parse::<PublicUrl>().map(|url| url.base());
        assert_eq!(base("https://table.example.org/"), Ok("https://table.example.org".into()));
        assert_eq!(base("http://Table.example.org:80"), Ok("http://table.example.org".into()));
        assert_eq!(base("http://192.168.1.5:8080"), Ok("http://192.168.1.5:8080".into()));
        assert_eq!(base("http://[fd00::1]:8080"), Ok("http://[fd00::1]:8080".into()));
        for wrong in [
            "",
            "table.example.org",
            "ftp://x",
            "https://",
            "https://x/games",
            "http://a@b",
            "http://x:0",
            "http://a b",
        ] {
            assert!(base(wrong).is_err(), "{wrong}");
        }
    }
}

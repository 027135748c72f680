//! Who may do what on a board that other machines can reach: two tokens, one of the owner and one for guests.
//!
//! A board on a loopback address has no tokens, and every client is its owner. Otherwise a client opens an address with a
//! token, which becomes a cookie. The owner can do everything; a guest lists and deletes only the games that it has
//! started, and opens another one by its id, which cannot be guessed: sending a link shares a game.

use std::hash::{BuildHasher, Hasher, RandomState};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};

/// How long a browser remembers its games, in seconds: a year.
const COOKIE_MAX_AGE: u32 = 365 * 86_400;

/// The client of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Client {
    /// May do everything.
    Owner,
    /// Has started the games with this text in the column `owner`.
    Guest(String),
}

impl Client {
    /// The guest, `None` for the owner.
    pub(crate) fn guest(&self) -> Option<&str> {
        match self {
            Self::Owner => None,
            Self::Guest(guest) => Some(guest),
        }
    }
}

/// The tokens of a board that is open to others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tokens {
    pub(crate) owner: String,
    pub(crate) guest: String,
    /// The port, because cookies do not distinguish the ports of a host.
    port: u16,
}

/// A random text of letters and digits with 5 bits each.
pub(crate) fn random_text(len: usize) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    // The keys of each hasher come from the random numbers of the operating system.
    let random_bits = |_| RandomState::new().build_hasher().finish();
    let characters = (0..len.div_ceil(12))
        .map(random_bits)
        .flat_map(|bits| (0..12).map(move |index| char::from(ALPHABET[(bits >> (5 * index) & 31) as usize])));
    characters.take(len).collect()
}

impl Tokens {
    pub(crate) fn new(port: u16) -> Self {
        Self { owner: random_text(24), guest: random_text(24), port }
    }

    /// The client of a request, `None` without a valid token.
    pub(crate) fn client(&self, headers: &HeaderMap, uri: &Uri) -> Option<Client> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = self.cookie(headers, "token");
        let candidates = [query_token(uri), bearer.and_then(|text| text.strip_prefix("Bearer ")), token];
        let has = |token: &str| candidates.into_iter().flatten().any(|found| equal(found, token));
        if has(&self.owner) {
            Some(Client::Owner)
        } else if has(&self.guest) {
            // The games of a client without cookies are found by their ids only.
            Some(Client::Guest(self.cookie(headers, "client").map_or_else(|| random_text(24), Into::into)))
        } else {
            None
        }
    }

    /// For a page that is opened with a valid token: the same page without it, which the browser keeps as a cookie.
    pub(crate) fn redirect(&self, request: &Request) -> Option<Response> {
        let is_page = !request.uri().path().starts_with("/api/") && request.method() == "GET";
        let is_valid = |token: &&str| equal(token, &self.owner) || equal(token, &self.guest);
        let token = query_token(request.uri()).filter(|_| is_page).filter(is_valid)?;
        let mut response = Redirect::to(request.uri().path()).into_response();
        let client = match self.cookie(request.headers(), "client") {
            Some(client) => client.into(),
            None => random_text(24),
        };
        for (name, value) in [("token", token), ("client", &*client)] {
            let port = self.port;
            let cookie = format!(
                "surus_{name}_{port}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={COOKIE_MAX_AGE}"
            );
            response.headers_mut().append(header::SET_COOKIE, HeaderValue::from_str(&cookie).ok()?);
        }
        Some(response)
    }

    /// The value of one of our cookies, if it consists of letters and digits.
    fn cookie<'a>(&self, headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
        let name = format!("surus_{name}_{}", self.port);
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let value = pairs.find(|(found, _)| *found == name)?.1;
        (!value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(value)
    }
}

fn query_token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in a time that does not depend on where two texts differ.
fn equal(left: &str, right: &str) -> bool {
    let differences = left.bytes().zip(right.bytes()).fold(0, |bits, (left, right)| bits | (left ^ right));
    left.len() == right.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn tokens() -> Tokens {
        Tokens { owner: "own".repeat(8), guest: "gst".repeat(8), port: 8641 }
    }

    fn client(uri: &str, name: header::HeaderName, value: &str) -> Option<Client> {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        tokens().client(&headers, &uri.parse().unwrap())
    }

    #[test]
    fn only_requests_with_a_token_have_a_client() {
        let (owner, guest) = (tokens().owner, tokens().guest);
        for (uri, name, value, expected) in [
            (format!("/?token={owner}"), header::ACCEPT, "x".to_string(), Some(Client::Owner)),
            ("/".into(), header::AUTHORIZATION, format!("Bearer {owner}"), Some(Client::Owner)),
            ("/".into(), header::COOKIE, format!("a=b; surus_token_8641={owner}"), Some(Client::Owner)),
            (
                "/".into(),
                header::COOKIE,
                format!("surus_token_8641={guest}; surus_client_8641=me"),
                Some(Client::Guest("me".into())),
            ),
            ("/".into(), header::COOKIE, format!("surus_token_9999={owner}"), None),
            ("/".into(), header::COOKIE, format!("surus_token_8641={}", &owner[1..]), None),
            ("/?token=".into(), header::AUTHORIZATION, "Bearer ".into(), None),
            ("/".into(), header::ACCEPT, "x".into(), None),
        ] {
            assert_eq!(client(&uri, name, &value), expected, "{uri} {value}");
        }
    }

    #[test]
    fn a_token_in_the_address_becomes_a_cookie() {
        let request = |uri: String| Request::builder().uri(uri).body(Body::empty()).unwrap();
        let response = tokens().redirect(&request(format!("/?token={}", tokens().guest))).unwrap();
        assert_eq!(response.headers()[header::LOCATION], "/");
        let cookies: Vec<_> = response.headers().get_all(header::SET_COOKIE).iter().collect();
        assert!(cookies[0].to_str().unwrap().starts_with("surus_token_8641=gst"));
        assert!(cookies[1].to_str().unwrap().contains("HttpOnly; SameSite=Lax"));
        assert!(tokens().redirect(&request("/api/v1/info?token=x".into())).is_none());
        assert!(tokens().redirect(&request("/".into())).is_none());
        // A token of an earlier start must not replace a valid cookie.
        assert!(tokens().redirect(&request("/?token=old".into())).is_none());
    }

    #[test]
    fn random_texts_differ_in_every_part() {
        let (one, other) = (random_text(24), random_text(24));
        assert_eq!(one.len(), 24);
        assert!(one[..12] != one[12..] && one[..12] != other[..12] && one[12..] != other[12..]);
    }
}

//! Who is let in: requests that name this machine, from our own page or from no page at all.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{Refusal, RequestError};
use crate::wire::Problem;

/// Which names the server answers to.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Whether the server is bound to this machine alone.
    pub(crate) local: bool,
    pub(crate) port: u16,
    /// Further names that were allowed on the command line.
    pub(crate) names: Vec<String>,
}

impl Guard {
    /// A foreign name that leads here is how a page of somebody else gets at a server of this machine; so names
    /// are refused but for those that nobody else can own.
    fn host_is_ours(&self, host: &str) -> bool {
        let (name, port) = split_port(host);
        if port.unwrap_or("80").parse() != Ok(self.port) {
            return false;
        }
        let address: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
        let ours = match address {
            Some(address) => !self.local || address.is_loopback(),
            None => name.eq_ignore_ascii_case("localhost"),
        };
        ours || self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), RequestError> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        // No host is none of ours.
        let host = text(header::HOST).unwrap_or("");
        if !self.host_is_ours(host) {
            return Err(RequestError::Host);
        }
        match text(header::ORIGIN) {
            Some(origin) if origin != format!("http://{host}") => Err(RequestError::Origin),
            _ => Ok(()),
        }
    }
}

fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Lets a request through or not, and forbids the page everything that it does not need.
pub(crate) async fn stand(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(request.headers()) {
        Ok(()) => in_a_sentence(next.run(request).await).await,
        Err(error) => Refusal::from(error).into_response(),
    };
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What the libraries below refuse by themselves is told in the same form as what we refuse.
async fn in_a_sentence(response: Response) -> Response {
    let is_json = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
    let told = response.headers().get(header::CONTENT_TYPE).is_some_and(is_json);
    if told || !(response.status().is_client_error() || response.status().is_server_error()) {
        return response;
    }
    let status = response.status();
    // A sentence that is too long or broken off is replaced by the status.
    let text = to_bytes(response.into_body(), 4096).await.ok();
    let error = match text.as_deref().map(String::from_utf8_lossy).as_deref().map_or("", str::trim) {
        "" => format!("the request makes no sense here: {status}"),
        text => text.to_string(),
    };
    (status, Json(Problem { error })).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(local: bool) -> Guard {
        Guard { local, port: 8641, names: vec!["board.lan".into()] }
    }

    #[test]
    fn only_names_that_nobody_else_can_own_are_ours() {
        for host in ["127.0.0.1:8641", "localhost:8641", "LOCALHOST:8641", "[::1]:8641", "board.lan:8641"] {
            assert!(guard(true).host_is_ours(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8641",
            "192.168.1.5:8641",
            "localhost.evil.example:8641",
        ] {
            assert!(!guard(true).host_is_ours(host), "{host}");
        }
        assert!(guard(false).host_is_ours("192.168.1.5:8641"));
        assert!(!guard(false).host_is_ours("evil.example:8641"));
    }

    #[test]
    fn a_page_from_elsewhere_is_refused() {
        let check = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8641"));
            origin.map(|origin| headers.insert(header::ORIGIN, HeaderValue::from_static(origin)));
            guard(true).check(&headers).is_ok()
        };
        assert!(check(None) && check(Some("http://localhost:8641")));
        for origin in ["http://evil.example", "null", "http://localhost:9999", "https://localhost:8641"] {
            assert!(!check(Some(origin)), "{origin}");
        }
    }
}

//! Access control: only requests to an allowed host name, from our own page or from no page, and with a token if the board
//! is open to other machines, are served.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::access::{Client, Tokens};
use crate::api::ErrorBody;
use crate::error::{ApiError, RequestError};
use crate::refused::RefusedCounters;

/// Error texts longer than this are replaced by the status.
const MAX_ERROR_BYTES: usize = 4096;

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: \
     blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The host names and origins that are served.
#[derive(Clone, Debug)]
pub(crate) struct OriginGuard {
    /// Whether the server is bound to a loopback address.
    pub(crate) local: bool,
    pub(crate) port: u16,
    /// Additional host names from the command line.
    pub(crate) allowed_hosts: Vec<String>,
    /// Of a board that is open to other machines.
    pub(crate) tokens: Option<Tokens>,
    pub(crate) refused: Arc<RefusedCounters>,
}

impl OriginGuard {
    /// Only addresses, localhost and configured names are allowed: with DNS rebinding, a foreign page could reach this
    /// server by a name of its own.
    fn is_allowed_host(&self, host: &str) -> bool {
        let (name, port) = split_port(host);
        if port.unwrap_or("80").parse() != Ok(self.port) {
            return false;
        }
        let address: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
        let allowed = match address {
            Some(address) => !self.local || address.is_loopback(),
            None => name.eq_ignore_ascii_case("localhost"),
        };
        allowed || self.allowed_hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
    }

    fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), RequestError> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        // A request without a Host header is rejected like one with a wrong name.
        let host = text(header::HOST).unwrap_or("");
        if !self.is_allowed_host(host) {
            return Err(RequestError::Host);
        }
        match text(header::ORIGIN) {
            Some(origin) if origin != format!("http://{host}") => return Err(RequestError::Origin),
            _ => {}
        }
        // A link on another page may open ours, but no other page may request anything.
        let is_link =
            uri.path() == "/" && text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
        match text(HeaderName::from_static("sec-fetch-site")) {
            Some("cross-site" | "same-site") if !is_link => Err(RequestError::Origin),
            _ => Ok(()),
        }
    }

    /// The client of a request that is allowed.
    fn client(&self, headers: &HeaderMap, uri: &Uri) -> Result<Client, RequestError> {
        self.check(headers, uri)?;
        match &self.tokens {
            None => Ok(Client::Owner),
            Some(tokens) => tokens.client(headers, uri).ok_or(RequestError::Token),
        }
    }
}

fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Middleware: rejects requests that are not allowed, and adds security headers to every response.
pub(crate) async fn enforce(
    State(guard): State<Arc<OriginGuard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.client(request.headers(), request.uri()) {
        Ok(client) => match guard.tokens.as_ref().and_then(|tokens| tokens.redirect(&request)) {
            Some(redirect) => redirect,
            None => {
                request.extensions_mut().insert(client);
                json_error_body(next.run(request).await).await
            }
        },
        Err(error) => ApiError::from(error).into_response(),
    };
    guard.refused.count(response.status());
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Converts errors of the framework to the JSON format of our own errors.
async fn json_error_body(response: Response) -> Response {
    let is_json = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
    let converted = response.headers().get(header::CONTENT_TYPE).is_some_and(is_json);
    if converted || !(response.status().is_client_error() || response.status().is_server_error()) {
        return response;
    }
    let status = response.status();
    let text = to_bytes(response.into_body(), MAX_ERROR_BYTES).await.ok();
    let error = match text.as_deref().map(String::from_utf8_lossy).as_deref().map_or("", str::trim) {
        "" => format!("invalid request: {status}"),
        text => text.to_string(),
    };
    (status, Json(ErrorBody { error })).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(local: bool) -> OriginGuard {
        let allowed_hosts = vec!["board.lan".into()];
        OriginGuard { local, port: 8641, allowed_hosts, tokens: None, refused: Arc::default() }
    }

    #[test]
    fn only_unforgeable_host_names_are_allowed() {
        for host in ["127.0.0.1:8641", "localhost:8641", "LOCALHOST:8641", "[::1]:8641", "board.lan:8641"] {
            assert!(guard(true).is_allowed_host(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8641",
            "192.168.1.5:8641",
            "localhost.evil.example:8641",
        ] {
            assert!(!guard(true).is_allowed_host(host), "{host}");
        }
        assert!(guard(false).is_allowed_host("192.168.1.5:8641"));
        assert!(!guard(false).is_allowed_host("evil.example:8641"));
    }

    #[test]
    fn other_origins_are_rejected() {
        let check = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8641"));
            origin.map(|origin| headers.insert(header::ORIGIN, HeaderValue::from_static(origin)));
            guard(true).check(&headers, &Uri::from_static("/")).is_ok()
        };
        assert!(check(None) && check(Some("http://localhost:8641")));
        for origin in ["http://evil.example", "null", "http://localhost:9999", "https://localhost:8641"] {
            assert!(!check(Some(origin)), "{origin}");
        }
    }

    #[test]
    fn other_pages_can_only_open_the_page() {
        let check = |path: &'static str, site: &'static str, mode: &'static str| {
            let mut headers = HeaderMap::new();
            for (name, value) in
                [("host", "localhost:8641"), ("sec-fetch-site", site), ("sec-fetch-mode", mode)]
            {
                headers.insert(name, HeaderValue::from_static(value));
            }
            guard(true).check(&headers, &Uri::from_static(path)).is_ok()
        };
        assert!(check("/", "cross-site", "navigate") && check("/", "none", "navigate"));
        assert!(check("/api/v1/info", "same-origin", "cors"));
        for (path, site, mode) in [
            ("/api/v1/games", "cross-site", "navigate"),
            ("/api/v1/games", "same-site", "cors"),
            ("/", "cross-site", "no-cors"),
            ("/js/main.js", "same-site", "no-cors"),
        ] {
            assert!(!check(path, site, mode), "{path} {site} {mode}");
        }
    }
}

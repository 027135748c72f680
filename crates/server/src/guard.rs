//! Access control: only requests to an allowed host name, from our own page or from no page, are served.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::ErrorBody;
use crate::error::{ApiError, RequestError};

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

    fn check(&self, headers: &HeaderMap) -> Result<(), RequestError> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        // A request without a Host header is rejected like one with a wrong name.
        let host = text(header::HOST).unwrap_or("");
        if !self.is_allowed_host(host) {
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

/// Middleware: rejects requests that are not allowed, and adds security headers to every response.
pub(crate) async fn enforce(State(guard): State<Arc<OriginGuard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(request.headers()) {
        Ok(()) => json_error_body(next.run(request).await).await,
        Err(error) => ApiError::from(error).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
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
        OriginGuard { local, port: 8641, allowed_hosts: vec!["board.lan".into()] }
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
            guard(true).check(&headers).is_ok()
        };
        assert!(check(None) && check(Some("http://localhost:8641")));
        for origin in ["http://evil.example", "null", "http://localhost:9999", "https://localhost:8641"] {
            assert!(!check(Some(origin)), "{origin}");
        }
    }
}

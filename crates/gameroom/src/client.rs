//! Sends requests over HTTP. It blocks; callers own the threads.

use std::time::Duration;

use ureq::{Agent, Proxy};

use crate::bot::{HttpError, HttpReply, HttpRequest};
use crate::protocol::{Failure, Fields, RoomRequest, Secret, TableRequest, check};

/// Sent with every request, with the page of the project.
pub const USER_AGENT: &str = concat!("Surus/", env!("CARGO_PKG_VERSION"), " (Arimaa bot client)");

/// Answers are a few kilobytes.
const MAX_BODY: u64 = 4 << 20;

/// The largest file that is downloaded.
const MAX_FILE: u64 = 1 << 30;

/// An HTTP client with its connections.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
}

/// The answer to a download.
#[derive(Debug)]
pub struct Download {
    /// HTTP status.
    pub status: u16,
    /// When the file was last changed, by the server.
    pub last_modified: Option<String>,
    /// The content.
    pub body: Vec<u8>,
}

/// A single request that failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestFailure {
    /// No usable answer.
    #[error("{action}: {reason}")]
    Http {
        /// The action.
        action: &'static str,
        /// What went wrong.
        reason: String,
    },
    /// The server answered with an error.
    #[error("{action}: {failure}")]
    Server {
        /// The action.
        action: &'static str,
        /// The error.
        failure: Failure,
    },
}

impl Client {
    /// A client for a site. The proxy of the environment is not used for this machine.
    #[must_use]
    pub fn new(url: &str) -> Self {
        let host = url.split("://").nth(1).unwrap_or_default();
        let local = ["127.", "localhost", "[::1]"].iter().any(|prefix| host.starts_with(prefix));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(USER_AGENT)
            .proxy(if local { None } else { Proxy::try_from_env() });
        Self { agent: config.build().new_agent() }
    }

    /// Sends a request and waits for the answer.
    pub fn send(&self, request: &HttpRequest) -> Result<HttpReply, HttpError> {
        let sent = match &request.form {
            Some(form) => self
                .agent
                .post(&request.url)
                .header("Referer", &request.referer)
                .content_type("application/x-www-form-urlencoded")
                .config()
                .timeout_global(Some(request.timeout))
                .build()
                .send(form),
            None => self
                .agent
                .get(&request.url)
                .header("Referer", &request.referer)
                .config()
                .timeout_global(Some(request.timeout))
                .build()
                .call(),
        };
        let mut response = sent.map_err(|error| failure(&error))?;
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_BODY).lossy_utf8(true).read_to_string();
        Ok(HttpReply { status, body: body.map_err(|error| failure(&error))? })
    }

    /// Downloads a file, unless it has not changed since a time that the server gave.
    pub fn download(&self, url: &str, unless_changed_since: Option<&str>) -> Result<Download, HttpError> {
        let mut request = self.agent.get(url);
        if let Some(time) = unless_changed_since {
            request = request.header("If-Modified-Since", time);
        }
        let timeout = Some(Duration::from_secs(3600));
        let sent = request
            .config()
            .timeout_global(timeout)
            .timeout_connect(Some(Duration::from_secs(20)))
            .build()
            .call();
        let mut response = sent.map_err(|error| failure(&error))?;
        let last_modified =
            response.headers().get("Last-Modified").and_then(|time| time.to_str().ok()).map(Into::into);
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_FILE).read_to_vec();
        Ok(Download { status, last_modified, body: body.map_err(|error| failure(&error))? })
    }

    /// Sends a request to the room of a gameroom.
    pub fn room(
        &self,
        url: &str,
        request: &RoomRequest,
        secrets: &[&Secret],
    ) -> Result<Fields, RequestFailure> {
        let url = format!("{}/{}", url.trim_end_matches('/'), crate::fake::ROOM);
        self.post(url.clone(), &url, request.form(), request.name(), secrets, Duration::from_secs(20))
    }

    /// Sends a request to a table.
    pub fn table(
        &self,
        url: &str,
        referer: &str,
        request: &TableRequest,
        secrets: &[&Secret],
    ) -> Result<Fields, RequestFailure> {
        let wait = match request {
            TableRequest::State { wait: Some(wait), .. } => *wait,
            _ => Duration::ZERO,
        };
        let timeout = wait + Duration::from_secs(20);
        self.post(url.into(), referer, request.form(), request.name(), secrets, timeout)
    }

    fn post(
        &self,
        url: String,
        referer: &str,
        form: Vec<(&'static str, String)>,
        action: &'static str,
        secrets: &[&Secret],
        timeout: Duration,
    ) -> Result<Fields, RequestFailure> {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request =
            HttpRequest { url, form: Some(form), referer: referer.into(), timeout, action, poll: false };
        let failed = |reason: String| RequestFailure::Http { action, reason };
        let reply = self.send(&request).map_err(|error| failed(error.to_string()))?;
        if reply.status != 200 {
            return Err(failed(format!("HTTP status {}", reply.status)));
        }
        let fields = Fields::parse(&reply.body);
        check(fields, secrets).map_err(|failure| RequestFailure::Server { action, failure })
    }
}

/// Errors of the client contain no URL with secrets: those are sent in the body.
fn failure(error: &ureq::Error) -> HttpError {
    match error {
        ureq::Error::Timeout(_) => HttpError::Timeout,
        other => HttpError::Connection(other.to_string()),
    }
}

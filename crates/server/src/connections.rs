//! Accepting connections, with limits for clients that send half a request, or nothing, and stay.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::error::{ApiError, RequestError};
use crate::http::MAX_BODY_BYTES;

/// Connections at a time, WebSockets excepted; more wait in the queue of the operating system.
const MAX_CONNECTIONS: usize = if cfg!(test) { 4 } else { 512 };
/// The time for the header of a request, which is also how long a connection may be idle.
const HEADER_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 20_000 });
/// The time for the body of a request.
const BODY_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 20_000 });
/// The time after which a connection is closed even if its client is still reading a response.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(600);
/// The delay after a connection could not be accepted, for example because no file handle is free.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Accepts connections forever.
pub(crate) async fn serve(listener: TcpListener, router: Router) -> io::Result<()> {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        // Only speed depends on it.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _slot = slot;
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // An error concerns this client only, which has received a response or is disconnected.
            let _ = timeout(CONNECTION_TIMEOUT, connection).await;
        });
    }
}

/// Middleware: reads the body of a request, within a limit of size and time.
pub(crate) async fn read_body(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(_)) => ApiError::from(RequestError::TooLarge(MAX_BODY_BYTES)).into_response(),
        Err(_) => ApiError::from(RequestError::BodyTimeout).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::post;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    async fn start() -> std::net::SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/", post(async |body: String| body))
            .layer(axum::middleware::from_fn(read_body));
        tokio::spawn(serve(listener, router));
        address
    }

    /// Sends a text and returns everything that comes back until the connection is closed.
    async fn exchange(stream: &mut TcpStream, text: &str) -> String {
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut reply = String::new();
        // A reset ends it like a regular end.
        let _ = stream.read_to_string(&mut reply).await;
        reply
    }

    #[tokio::test]
    async fn half_sent_requests_do_not_keep_others_out() {
        let address = start().await;
        let mut stuck = Vec::new();
        for half in ["", "POST / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"] {
            for _ in 0..4 * MAX_CONNECTIONS {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(half.as_bytes()).await.unwrap();
                stuck.push(stream);
            }
        }
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";
        let reply = exchange(&mut stream, request).await;
        assert!(reply.starts_with("HTTP/1.1 200 OK") && reply.ends_with("hello"), "{reply}");
    }

    #[tokio::test]
    async fn a_body_that_does_not_arrive_is_answered() {
        let mut stream = TcpStream::connect(start().await).await.unwrap();
        let reply = exchange(&mut stream, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc").await;
        assert!(reply.starts_with("HTTP/1.1 408"), "{reply}");
        assert!(reply.contains("the body did not arrive"), "{reply}");
    }
}

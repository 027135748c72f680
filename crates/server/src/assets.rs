//! The page, embedded in the program. A debug build reads it from the source, so that a change needs no build.

use axum::body::Body;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::error::{Refusal, RequestError};

#[derive(rust_embed::Embed)]
#[folder = "page/"]
struct Page;

/// A file of the page. Names are looked up in the list of embedded files, so no path leads out of it.
pub(crate) async fn serve(uri: Uri) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let known = Page::iter().any(|file| file == name);
    let Some(file) = Some(name).filter(|_| known).and_then(Page::get) else {
        return Refusal::from(RequestError::Page).into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
    (StatusCode::OK, headers, Body::from(file.data.into_owned())).into_response()
}

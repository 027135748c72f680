//! The static files of the page, embedded in the program. A debug build reads them from the source directory, so that
//! a reload shows a change.

use axum::body::Body;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, RequestError};

#[derive(rust_embed::Embed)]
#[folder = "page/"]
struct Assets;

/// Serves a file of the page. Only names in the list of embedded files are served, so path traversal is impossible.
pub(crate) async fn serve(uri: Uri) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let exists = Assets::iter().any(|file| file == name);
    let Some(file) = Some(name).filter(|_| exists).and_then(Assets::get) else {
        return ApiError::from(RequestError::Page).into_response();
    };
    let content_type = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "no-cache")];
    (StatusCode::OK, headers, Body::from(file.data.into_owned())).into_response()
}

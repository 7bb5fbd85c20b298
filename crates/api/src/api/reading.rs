//! The operations that read documents are the same for each kind of them: a list, a record and a
//! timeline; for what arrived, also a download and a deletion. They are written once here.

/// The operations `list`, `document` and `status` of a side of `documents`, under a resource.
macro_rules! reading {
    ($side:ident, $resource:literal, $one:literal) => {
        #[cfg_attr(test, utoipa::path(
            get, path = concat!("/api/v1/{partyId}/", $resource), tag = $resource,
            summary = concat!("Lists documents of a party, each ", $one, "."),
            params($crate::api::paths::PartyPath, $crate::api::documents::DocumentListQuery),
            responses(
                (
                    status = 200,
                    description = "A page, oldest first.",
                    body = $crate::api::documents::DocumentPage
                ),
                $crate::http::refusals::Called,
                $crate::http::refusals::OfParty,
                $crate::http::refusals::Paged,
            ),
            security(("token" = []))
        ))]
        pub(crate) async fn list(
            axum::extract::State(api): axum::extract::State<$crate::api::Api>,
            caller: $crate::http::Caller,
            axum::extract::Path(party_id): axum::extract::Path<String>,
            $crate::http::query::Query(query): $crate::http::query::Query<
                $crate::api::documents::DocumentListQuery,
            >,
        ) -> Result<axum::Json<$crate::api::documents::DocumentPage>, $crate::http::Problem> {
            $crate::api::documents::$side.list(&api, &caller, &party_id, query).await
        }

        #[cfg_attr(test, utoipa::path(
            get, path = concat!("/api/v1/{partyId}/", $resource, "/{documentId}"), tag = $resource,
            summary = concat!("Reads the record of ", $one, "."),
            params($crate::api::paths::DocumentPath),
            responses(
                (status = 200, description = "The record.", body = $crate::api::documents::DocumentView),
                $crate::http::refusals::Called,
                $crate::http::refusals::OfParty,
                $crate::http::refusals::OfDocument,
            ),
            security(("token" = []))
        ))]
        pub(crate) async fn document(
            axum::extract::State(api): axum::extract::State<$crate::api::Api>,
            caller: $crate::http::Caller,
            axum::extract::Path(path): axum::extract::Path<(String, String)>,
        ) -> Result<axum::Json<$crate::api::documents::DocumentView>, $crate::http::Problem> {
            $crate::api::documents::$side.document(&api, &caller, path).await
        }

        #[cfg_attr(test, utoipa::path(
            get, path = concat!("/api/v1/{partyId}/", $resource, "/{documentId}/status"),
            tag = $resource,
            summary = concat!("Tells what happened to ", $one, ", oldest first."),
            description = "The current status is also in a header, with the configured prefix.",
            params($crate::api::paths::DocumentPath),
            responses(
                (
                    status = 200,
                    description = "The steps so far, oldest first.",
                    body = [$crate::api::documents::StatusLine],
                    headers(
                        ("X-Service-Status" = String, description = "The current status."),
                        ("X-Service-Ahead" = u64, description = "Of a document that waits to be \
                            sent: how many steps of others come before it."),
                        ("X-Service-Expected" = String, description = "When its next step is \
                            expected, RFC 3339, where that is known.")
                    )
                ),
                $crate::http::refusals::Called,
                $crate::http::refusals::OfParty,
                $crate::http::refusals::OfDocument,
            ),
            security(("token" = []))
        ))]
        pub(crate) async fn status(
            axum::extract::State(api): axum::extract::State<$crate::api::Api>,
            caller: $crate::http::Caller,
            axum::extract::Path(path): axum::extract::Path<(String, String)>,
        ) -> Result<
            (axum::http::HeaderMap, axum::Json<Vec<$crate::api::documents::StatusLine>>),
            $crate::http::Problem,
        > {
            $crate::api::documents::$side.status(&api, &caller, path).await
        }
    };
}

/// The operations `download` and `remove` of a side on which documents arrive, under a resource;
/// `$xml` describes their bytes, and `$json` what they become where they have a form in JSON.
macro_rules! arrived {
    ($side:ident, $resource:literal, $one:literal, $xml:ident $(, $json:ident)?) => {
        #[cfg_attr(test, utoipa::path(
                    get, path = concat!("/api/v1/{partyId}/", $resource, "/{documentId}/download"),
                    tag = $resource,
                    summary = concat!("Downloads ", $one, " as it came."),
                    description = "Where `Accept` asks for `text/html` or `application/pdf` first, \
                        it is shown as a page, in the language of `Accept-Language`. A page does \
                        not count as downloaded.",
                    params($crate::api::paths::DocumentPath, $crate::api::documents::DownloadQuery),
                    responses(
                        (
                            status = 200,
                            description = "The document, or its page.",
                            content(
                                ($crate::api::bodies::$xml = "application/xml"),
                                $(($crate::api::bodies::$json = "application/json"),)?
                                ($crate::api::bodies::PageHtml = "text/html"),
                                ($crate::api::bodies::PagePdf = "application/pdf")
                            )
                        ),
                        $crate::http::refusals::Called,
                        $crate::http::refusals::OfParty,
                        $crate::http::refusals::OfDocument,
                        $crate::http::refusals::Kept,
                        $crate::http::refusals::Converted,
                        $crate::http::refusals::Shown,
                    ),
                    security(("token" = []))
                ))]
        pub(crate) async fn download(
            axum::extract::State(api): axum::extract::State<$crate::api::Api>,
            caller: $crate::http::Caller,
            axum::extract::Path(path): axum::extract::Path<(String, String)>,
            $crate::http::query::Query(query): $crate::http::query::Query<
                $crate::api::documents::DownloadQuery,
            >,
            method: axum::http::Method,
            headers: axum::http::HeaderMap,
        ) -> Result<axum::response::Response, $crate::http::Problem> {
            let side = $crate::api::documents::$side;
            let (_, found) = side.record(&api, &caller, path).await?;
            let target = query.target_document_type_id.as_deref();
            side.download(&api, &found, (&method, &headers), target).await
        }

        #[cfg_attr(test, utoipa::path(
                    delete, path = concat!("/api/v1/{partyId}/", $resource, "/{documentId}"),
                    tag = $resource,
                    summary = concat!("Deletes ", $one, " for good."),
                    description = "The record of its passage stays.",
                    params($crate::api::paths::DocumentPath),
                    responses(
                        (status = 204, description = "It is deleted."),
                        $crate::http::refusals::Called,
                        $crate::http::refusals::OfParty,
                        $crate::http::refusals::OfDocument,
                    ),
                    security(("token" = []))
                ))]
        pub(crate) async fn remove(
            axum::extract::State(api): axum::extract::State<$crate::api::Api>,
            caller: $crate::http::Caller,
            axum::extract::Path(path): axum::extract::Path<(String, String)>,
        ) -> Result<axum::http::StatusCode, $crate::http::Problem> {
            let right = $crate::api::rights::Right::Remove;
            let side = $crate::api::documents::Side { right, ..$crate::api::documents::$side };
            side.remove(&api, &caller, path).await
        }
    };
}

pub(super) use {arrived, reading};

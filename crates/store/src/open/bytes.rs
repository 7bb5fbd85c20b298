//! Bytes that callers of the store keep, fetch and give up by themselves.

use bytes::Bytes;
use quoin_delivery::OrganisationId;

use super::Store;
use crate::blobs::{self, BlobId, BlobStream};
use crate::error::{Error, Fault};
use crate::writer::Tx;

impl Store {
    /// As [`Store::write`], of an operation that records blobs, `files` among them: where it is
    /// refused, nothing of it is on record, and they go at once.
    pub(crate) async fn write_files<T, F>(&self, files: Vec<String>, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    {
        let done = self.write(work).await;
        // What became of a commit that failed is not known: the sweep looks after its files.
        if let Err(Error::Refusal(_)) = &done {
            for file in files {
                self.blobs.discard(Some(file)).await;
            }
        }
        done
    }

    /// The bytes of a blob of an organisation, or `None` where it has none of this id.
    pub async fn blob(
        &self,
        organisation: &OrganisationId,
        id: BlobId,
    ) -> Result<Option<Bytes>, Error> {
        if let Some(bytes) = self.recent().get(&(organisation.clone(), id.0)) {
            return Ok(Some(bytes));
        }
        let mut looked_in = None;
        loop {
            let owner = organisation.clone();
            let found = self.read(move |db| blobs::find(db, &owner, id)).await?;
            let Some(location) = found else { return Ok(None) };
            let file = location.file().map(str::to_owned);
            match self.blobs.fetch(location).await {
                Ok(bytes) => return Ok(Some(bytes)),
                // The same bytes came once more while this looked: they lie in another file now.
                Err(Fault::Files { .. } | Fault::Lost { .. })
                    if file.is_some() && file != looked_in =>
                {
                    looked_in = file;
                }
                Err(lost @ Fault::Lost { .. }) => {
                    self.blobs.miss(&lost);
                    return Err(lost.into());
                }
                Err(fault) => return Err(fault.into()),
            }
        }
    }

    /// What is wrong with a file of a document that was asked for and is missing or damaged, where
    /// there was one since this was asked last.
    pub fn lost_file(&self) -> Option<Fault> {
        self.blobs.missed()
    }

    /// How many bytes a blob of an organisation has, or `None` where it has none of this id.
    pub async fn blob_size(
        &self,
        organisation: &OrganisationId,
        id: BlobId,
    ) -> Result<Option<u64>, Error> {
        let owner = organisation.clone();
        self.read(move |db| blobs::size(db, &owner, id)).await
    }

    /// Keeps bytes by themselves and answers their id. Each put is a use that a
    /// [`Store::delete_blob`] gives up.
    pub async fn put_blob(
        &self,
        organisation: &OrganisationId,
        bytes: Bytes,
    ) -> Result<BlobId, Error> {
        let ready = self.blobs.ready(organisation, bytes).await?;
        let (id, owner) = (ready.id, organisation.clone());
        let surplus = self.write(move |tx| Ok(blobs::record(tx, &owner, &ready)?)).await?;
        self.blobs.discard(surplus).await;
        Ok(id)
    }

    /// Begins a document of an organisation that is to be submitted when it has come whole;
    /// `start` is its first part.
    pub async fn stream(
        &self,
        organisation: &OrganisationId,
        start: Bytes,
    ) -> Result<BlobStream, Error> {
        Ok(BlobStream::begin(self.blobs.files.clone(), organisation, start).await?)
    }

    /// Gives up one use of a blob; the bytes go with the last one.
    pub async fn delete_blob(
        &self,
        organisation: &OrganisationId,
        id: BlobId,
    ) -> Result<(), Error> {
        let owner = organisation.clone();
        let file = self.write(move |tx| Ok(blobs::release(tx, &owner, id)?)).await?;
        self.blobs.discard(file).await;
        Ok(())
    }
}

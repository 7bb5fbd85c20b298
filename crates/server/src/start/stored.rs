//! The store of a configuration, and the key of its secrets.

use std::path::Path;
use std::sync::Arc;

use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::pki::Trust;
use quoin_store::{OpenOptions, Store, StoreKey, has_database, stands_in_the_way};

use super::StartError;
use super::ownership::own_access_point;
use quoin_access_point::authorities;
use quoin_access_point::budget::Budgets;
use quoin_access_point::config::Config;
use quoin_access_point::identity::{self, Rollover};
use quoin_access_point::keyfile::{self, KeyFileError};
use quoin_access_point::plainfile;

/// The database in the data folder.
const DATABASE: &str = "quoin.db";
/// Bytes of the file of the key, at most.
const KEY_BYTES: u64 = 1024;
/// The file of the key, where the configuration gives none.
const KEY: &str = "store.key";

/// Opens the store of a configuration, and makes one where there is none.
///
/// # Errors
/// The store, or the key of its secrets, cannot be used.
pub async fn open_store(config: &Config) -> Result<Store, StartError> {
    open(config, false).await
}

async fn open(config: &Config, as_it_is: bool) -> Result<Store, StartError> {
    let path = config.data_dir.join(KEY);
    let key = match store_key(config)? {
        Some(key) => key,
        None => {
            // No key is made for a database that was here and is to be put back.
            if !config.new_store {
                has_database(&config.data_dir)?;
            }
            read(&keyfile::read_or_make(&path, random_key)?, config)?
        }
    };
    let options = OpenOptions::new(config.data_dir.clone(), key);
    Ok(Store::open(OpenOptions { new_store: config.new_store, as_it_is, ..options }).await?)
}

/// Opens the store of a service that is stopped. Where there is none, none is made; one of an
/// earlier version is not upgraded, and what a start has to tell of it is left to that.
///
/// # Errors
/// As [`open_store`], and [`StartError::NoStore`].
pub async fn open_existing(config: &Config) -> Result<Store, StartError> {
    is_there(config)?;
    open(config, true).await
}

/// What commands ask of a service that is stopped: its store as it is, and whom it believes.
pub struct StoppedService {
    /// Its store.
    pub store: Store,
    /// Its identity as an access point.
    pub own: Rollover<Arc<OwnIdentity>>,
    /// Whom it believes.
    pub authorities: Trust,
    /// What work may cost.
    pub budgets: Budgets,
}

impl StoppedService {
    /// Opens it.
    ///
    /// # Errors
    /// As [`open_existing`]; there is no certificate of an access point, or an authority cannot be
    /// read.
    pub async fn open(config: &Config) -> Result<StoppedService, StartError> {
        is_there(config)?;
        let authorities = authorities::load(&config.trust)?;
        let own = own_access_point(config)?.ok_or(identity::IdentityError::Nothing)?;
        let (store, budgets) = (open_existing(config).await?, Budgets::new(&config.limits));
        Ok(StoppedService { store, own, authorities, budgets })
    }
}

/// Looks for what would keep the store of a configuration from being opened by a start. Nothing is
/// changed; of a store that is in use nothing is said.
pub(super) fn look(config: &Config) -> Result<(), StartError> {
    let Some(key) = store_key(config)? else {
        return Ok(has_database(&config.data_dir).map(|_| ())?);
    };
    let options = OpenOptions::new(config.data_dir.clone(), key);
    Ok(stands_in_the_way(&OpenOptions { new_store: config.new_store, ..options })?)
}

/// Whether there is a store of a configuration.
///
/// # Errors
/// [`StartError::NoStore`]; one that was there and is not any more.
pub fn is_there(config: &Config) -> Result<(), StartError> {
    match has_database(&config.data_dir)? {
        true => Ok(()),
        false => Err(StartError::NoStore { folder: config.data_dir.clone() }),
    }
}

/// The key of a store; none where the first start is to make one.
///
/// # Errors
/// It is missing beside a database, or is no key; [`StartError::NotMounted`].
pub(super) fn store_key(config: &Config) -> Result<Option<StoreKey>, StartError> {
    // Nothing is made where the disk is to come.
    let leads_nowhere = |path: &&Path| path.is_symlink() && !path.exists();
    if let Some(link) = config.data_dir.ancestors().find(leads_nowhere) {
        return Err(StartError::NotMounted { link: link.to_owned() });
    }
    if let Some(key) = &config.secrets.master_key {
        return read(key.expose().as_bytes(), config).map(Some);
    }
    let path = config.data_dir.join(KEY);
    match plainfile::text(&path, KEY_BYTES) {
        Ok(hex) => read(hex.as_bytes(), config).map(Some),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(wrong(config, &error.to_string()))
        }
        Err(_) if config.data_dir.join(DATABASE).exists() => Err(wrong(
            config,
            "it is missing beside a database that was written with it, and nothing that is \
             sealed there could be read: put it back from the backup, or set secrets.master_key",
        )),
        Err(_) => Ok(None),
    }
}

fn read(hex: &[u8], config: &Config) -> Result<StoreKey, StartError> {
    let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(hex.trim_ascii()).ok();
    let key = bytes.and_then(|bytes| bytes.try_into().ok()).map(StoreKey);
    key.ok_or_else(|| wrong(config, "expected 32 bytes in hexadecimal"))
}

fn wrong(config: &Config, reason: &str) -> StartError {
    KeyFileError { path: config.data_dir.join(KEY), reason: reason.to_owned() }.into()
}

fn random_key() -> Result<Vec<u8>, String> {
    let mut key = [0; 32];
    aws_lc_rs::rand::fill(&mut key).map_err(|_| "no random bytes".to_owned())?;
    Ok(data_encoding::HEXLOWER.encode(&key).into_bytes())
}

//! What an operation of the writer gets.

use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use quoin_delivery::{OrganisationId, TaskKind};

use crate::absorbed::AbsorbedParties;
use crate::due::{DueBoard, Wake};
use crate::engine::{Connection, Param, SqlRow};
use crate::error::Fault;
use crate::generations::Touched;
use crate::handover::{OfferedPlace, Offers};
use crate::keeping::KeepPeriods;
use crate::recent::RecentKey;
use crate::shares::TurnShares;

/// What an operation gets: the open transaction, and a place to say what follows the commit.
pub(crate) struct Tx<'a> {
    pub(super) connection: &'a mut dyn Connection,
    pub(super) board: &'a DueBoard,
    pub(super) offers: &'a Offers,
    pub(super) shares: &'a TurnShares,
    pub(super) absorbed: &'a AbsorbedParties,
    pub(super) wake: Wake,
    /// Whose followers are told of an event.
    pub(super) told: Vec<OrganisationId>,
    pub(super) knows: bool,
    pub(super) handed: Vec<OfferedPlace>,
    /// Calls of hooks that this operation owes.
    pub(super) owed: usize,
    pub(super) all_told: &'a AtomicBool,
    /// How long documents are kept.
    pub(crate) keep: KeepPeriods,
    pub(super) touched: Vec<Touched>,
    pub(super) given_up: Vec<RecentKey>,
}

impl Tx<'_> {
    /// See [`Connection::execute`].
    pub(crate) fn execute(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<usize, Fault> {
        self.connection.execute(sql, params)
    }

    /// See [`Connection::query`].
    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Vec<SqlRow>, Fault> {
        self.connection.query(sql, params)
    }

    /// The first row, if there is one.
    pub(crate) fn first(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Option<SqlRow>, Fault> {
        self.connection.first(sql, params)
    }

    /// Says that a task of this kind is due at that time.
    pub(crate) fn due(&mut self, kind: TaskKind, at: Timestamp) {
        self.board.lower(kind, at);
        self.wake = self.wake.and(Wake::work(kind));
    }

    /// Says until when a task of this kind is in hand.
    pub(crate) fn lease(&mut self, kind: TaskKind, until: Timestamp) {
        self.board.lower(kind, until);
    }

    /// A place for a task of this kind that is due at `now`, with somebody who takes it over; none
    /// where others of the kind were due before it.
    pub(crate) fn place(&self, kind: TaskKind, now: Timestamp) -> Option<OfferedPlace> {
        if self.board.may_be_due(kind, now) { None } else { self.offers.place(kind) }
    }

    /// What time it is for whoever takes tasks of a kind over.
    pub(crate) fn time_of(&self, kind: TaskKind) -> Option<Timestamp> {
        self.offers.time_of(kind)
    }

    /// How organisations share the places of first steps.
    pub(crate) fn shares(&self) -> &TurnShares {
        self.shares
    }

    /// Parties that became part of others.
    pub(crate) fn absorbed(&self) -> &AbsorbedParties {
        self.absorbed
    }

    /// Hands a claim over after the commit.
    pub(crate) fn hand_over(&mut self, place: OfferedPlace) {
        self.handed.push(place);
    }

    /// Says that tasks of any kind may be due.
    pub(crate) fn due_any(&mut self) {
        self.board.forget();
        self.wake = self.wake.and(Wake::any(TaskKind::ALL));
    }

    /// Says that something happened that the feed of an organisation tells.
    pub(crate) fn told(&mut self, whose: &OrganisationId) {
        if !self.told.contains(whose) {
            self.told.push(whose.clone());
        }
    }

    /// Whether events may be left that not all hooks were told of.
    pub(crate) fn may_be_behind(&self) -> bool {
        !self.all_told.load(Ordering::Relaxed)
    }

    /// Notes whether there are any. An operation that is not kept may be wrong about it, and is
    /// asked again.
    pub(crate) fn note_behind(&mut self, is_behind: bool) {
        self.all_told.store(!is_behind, Ordering::Relaxed);
    }

    /// Whether this operation may owe so many calls more, of a number in all.
    pub(crate) fn may_owe(&mut self, calls: usize, most: usize) -> bool {
        let owed = self.owed.saturating_add(calls);
        let may = owed <= most;
        if may {
            self.owed = owed;
        }
        may
    }

    /// Says when the next task of this kind is due, which is so only if this operation is kept.
    pub(crate) fn know(&mut self, kind: TaskKind, next: Option<Timestamp>) {
        self.board.know(kind, next);
        self.knows = true;
    }

    /// Whom the commit wakes so far, how much it hands over, and how many feeds it adds to.
    pub(crate) fn follows(&self) -> (Wake, usize, usize) {
        (self.wake, self.handed.len(), self.told.len())
    }

    /// Takes back whom the commit wakes, and what it hands over, where what was done is taken back.
    pub(crate) fn take_back(&mut self, before: (Wake, usize, usize)) {
        self.wake = before.0;
        self.handed.truncate(before.1);
        self.told.truncate(before.2);
    }

    /// Whether the commit hands a step of a document over.
    pub(crate) fn hands_a_document_over(&self) -> bool {
        self.handed.iter().any(OfferedPlace::is_of_a_document)
    }

    /// Says that what is published of a participant is another one after the commit.
    pub(crate) fn touch(&mut self, participant: &str) {
        self.touched.push(Touched::participant(participant));
    }

    /// Says so of every participant.
    pub(crate) fn touch_all(&mut self) {
        self.touched.push(Touched::All);
    }

    /// Says that a record gives bytes up.
    pub(crate) fn give_up(&mut self, blob: RecentKey) {
        self.given_up.push(blob);
    }

    /// The connection, for functions that read on either side.
    pub(crate) fn connection(&mut self) -> &mut dyn Connection {
        self.connection
    }
}

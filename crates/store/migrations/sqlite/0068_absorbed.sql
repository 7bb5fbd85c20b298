-- What a party collects and has registered goes with it where it becomes part of another one.
CREATE INDEX batches_of_party ON batches (organisation, party);
CREATE INDEX clearance_batches_of_party ON clearance_batches (organisation, party);

//! Reading DICO.

//! Namespace names of the standards read here, and algorithm identifiers of XML security.

/// XML itself (`xml:lang` and the like).
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// ISO Schematron (ISO/IEC 19757-3).
pub const SCHEMATRON: &str = "http://purl.oclc.org/dsdl/schematron";
/// Schematron 1.5, the predecessor of ISO Schematron.
pub const SCHEMATRON_1: &str = "http://www.ascc.net/xml/schematron";
/// Schematron Validation Report Language (ISO/IEC 19757-3, annex D).
pub const SVRL: &str = "http://purl.oclc.org/dsdl/svrl";
/// XSL Transformations.
pub const XSLT: &str = "http://www.w3.org/1999/XSL/Transform";
/// XInclude 1.0.
pub const XINCLUDE: &str = "http://www.w3.org/2001/XInclude";
/// XML Schema: the names of the built-in types.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema";
/// XML Signature 1.0.
pub const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
/// XML Encryption 1.0.
pub const XENC: &str = "http://www.w3.org/2001/04/xmlenc#";
/// XML Encryption 1.1.
pub const XENC11: &str = "http://www.w3.org/2009/xmlenc11#";

/// Canonical XML 1.0 without comments.
pub const C14N: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
/// Inclusive canonical XML 1.1 without comments.
pub const C14N_11: &str = "http://www.w3.org/2006/12/xml-c14n11";
/// Exclusive canonical XML 1.0 without comments; also the namespace of `InclusiveNamespaces`.
pub const EXC_C14N: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
/// RSASSA-PKCS1-v1_5 with SHA-256.
pub const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
/// RSASSA-PKCS1-v1_5 with SHA-384.
pub const RSA_SHA384: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384";
/// RSASSA-PKCS1-v1_5 with SHA-512.
pub const RSA_SHA512: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512";
/// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
pub const RSA_PSS_SHA256: &str = "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1";
/// ECDSA with SHA-256, its value as R and S side by side.
pub const ECDSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
/// ECDSA with SHA-384, its value as R and S side by side.
pub const ECDSA_SHA384: &str = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384";
/// XAdES 1.3.2 (ETSI TS 101 903): the properties of a signature.
pub const XADES: &str = "http://uri.etsi.org/01903/v1.3.2#";
/// What a reference to signed properties is of (`Type`).
pub const SIGNED_PROPERTIES: &str = "http://uri.etsi.org/01903#SignedProperties";
/// SHA-384 as a digest method.
pub const SHA384: &str = "http://www.w3.org/2001/04/xmldsig-more#sha384";
/// SHA-512 as a digest method.
pub const SHA512: &str = "http://www.w3.org/2001/04/xmlenc#sha512";
/// SHA-256 as a digest method.
pub const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
/// The enveloped signature transform.
pub const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

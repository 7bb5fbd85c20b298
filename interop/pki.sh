#!/bin/sh
# A test network's certificates with openssl: a root, CAs for access points (ca) and SMPs (smp-ca),
# two key pairs (SEAT, SEAT-smp) for each seat id that is named, and beside it a CA for web servers
# (tls-ca) with a certificate for this machine (tls). Usage: pki.sh FOLDER SEAT...
set -eu
umask 077
folder=$1
shift
mkdir -p "$folder"
cd "$folder"

authority_extensions='basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash'
leaf_extensions='basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment,dataEncipherment
extendedKeyUsage=clientAuth
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid'

key() { openssl genpkey -algorithm RSA -pkeyopt "rsa_keygen_bits:$2" -out "$1.key" 2>/dev/null; }
# issue NAME SUBJECT ISSUER EXTENSIONS
issue() {
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  printf '%s\n' "$4" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA "$3.crt" -CAkey "$3.key" -CAcreateserial -days 700 -sha256 \
    -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

authority() {
  openssl req -x509 -new -key "$1.key" -sha256 -days 3650 -subj "$2" \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -out "$1.crt"
}

key root 3072
authority root '/C=BE/O=Interop/CN=Interop Root TEST CA'
key ca 3072
issue ca '/C=BE/O=Interop/CN=INTEROP ACCESS POINT TEST CA' root "$authority_extensions"
key smp-ca 3072
issue smp-ca '/C=BE/O=Interop/CN=INTEROP SMP TEST CA' root "$authority_extensions"
for seat in "$@"; do
  key "$seat" 2048
  issue "$seat" "/C=NL/O=Interop $seat/OU=PEPPOL TEST AP/CN=$seat" ca "$leaf_extensions"
  key "$seat-smp" 2048
  issue "$seat-smp" "/C=NL/O=Interop $seat/OU=PEPPOL TEST SMP/CN=$seat" smp-ca "$leaf_extensions"
done

key tls-ca 2048
authority tls-ca '/CN=Web servers of the interoperability suite'
key tls 2048
issue tls '/CN=localhost' tls-ca 'basicConstraints=critical,CA:FALSE
extendedKeyUsage=serverAuth
subjectAltName=DNS:localhost,IP:127.0.0.1'

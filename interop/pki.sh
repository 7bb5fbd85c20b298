#!/bin/sh
# A test network's certificates with openssl: a root, a CA for access points, and one key pair for
# each seat id that is named. Usage: pki.sh FOLDER SEAT...
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

key() { openssl genpkey -quiet -algorithm RSA -pkeyopt "rsa_keygen_bits:$2" -out "$1.key" 2>/dev/null ||
  openssl genpkey -algorithm RSA -pkeyopt "rsa_keygen_bits:$2" -out "$1.key" 2>/dev/null; }
# issue NAME SUBJECT ISSUER EXTENSIONS
issue() {
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  printf '%s\n' "$4" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA "$3.crt" -CAkey "$3.key" -CAcreateserial -days 700 -sha256 \
    -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

key root 3072
openssl req -x509 -new -key root.key -sha256 -days 3650 -subj '/C=BE/O=Interop/CN=Interop Root TEST CA' \
  -addext 'keyUsage=critical,keyCertSign,cRLSign' -out root.crt
key ca 3072
issue ca '/C=BE/O=Interop/CN=INTEROP ACCESS POINT TEST CA' root "$authority_extensions"
for seat in "$@"; do
  key "$seat" 2048
  issue "$seat" "/C=NL/O=Interop $seat/OU=PEPPOL TEST AP/CN=$seat" ca "$leaf_extensions"
done

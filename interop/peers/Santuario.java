import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.xml.security.Init;
import org.apache.xml.security.encryption.XMLCipher;
import org.apache.xml.security.signature.XMLSignature;
import org.apache.xml.security.signature.XMLSignatureInput;
import org.apache.xml.security.transforms.Transform;
import org.apache.xml.security.transforms.TransformSpi;
import org.apache.xml.security.utils.resolver.ResourceResolverContext;
import org.apache.xml.security.utils.resolver.ResourceResolverSpi;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Opens an AS4 message with Apache Santuario, the engine underneath WSS4J and so underneath most
 * access points. Arguments: the SOAP envelope, the encrypted attachment, the receiver's key (PKCS#8
 * PEM), the signer's certificate, and where to write the payload. Ends with status 1 and the reason
 * when the signature does not verify.
 */
public class Santuario {
    static final String DS = "http://www.w3.org/2000/09/xmldsig#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String GCM = "http://www.w3.org/2009/xmlenc11#aes128-gcm";
    static final String WSU = "http://docs.oasis-open.org/wss/2004/01/"
            + "oasis-200401-wss-wssecurity-utility-1.0.xsd";
    static final String CONTENT = "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1"
            + "#Attachment-Content-Signature-Transform";

    static byte[] compressed;

    /** An attachment that is not XML is signed as it is. */
    public static class AttachmentContent extends TransformSpi {
        @Override
        protected String engineGetURI() {
            return CONTENT;
        }

        @Override
        protected XMLSignatureInput enginePerformTransform(XMLSignatureInput in, Transform t) {
            return in;
        }

        @Override
        protected XMLSignatureInput enginePerformTransform(
                XMLSignatureInput in, OutputStream out, Transform transform) {
            return in;
        }
    }

    static class Attachments extends ResourceResolverSpi {
        @Override
        public boolean engineCanResolveURI(ResourceResolverContext context) {
            return context.uriToResolve != null && context.uriToResolve.startsWith("cid:");
        }

        @Override
        public XMLSignatureInput engineResolveURI(ResourceResolverContext context) {
            return new XMLSignatureInput(compressed);
        }
    }

    static Element only(Document document, String namespace, String name) {
        var found = document.getElementsByTagNameNS(namespace, name);
        if (found.getLength() != 1) {
            throw new IllegalStateException(found.getLength() + " " + name);
        }
        return (Element) found.item(0);
    }

    static Document envelope(Path file) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        var document = factory.newDocumentBuilder().parse(file.toFile());
        var all = document.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            var element = (Element) all.item(i);
            if (element.hasAttributeNS(WSU, "Id")) {
                element.setIdAttributeNS(WSU, "Id", true);
            }
        }
        return document;
    }

    static byte[] decrypt(Document document, byte[] attachment, PrivateKey key) throws Exception {
        var unwrap = XMLCipher.getInstance();
        unwrap.init(XMLCipher.UNWRAP_MODE, key);
        var wrapped = unwrap.loadEncryptedKey(document, only(document, XENC, "EncryptedKey"));
        var content = unwrap.decryptKey(wrapped, GCM);
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                new SecretKeySpec(content.getEncoded(), "AES"),
                new GCMParameterSpec(128, attachment, 0, 12));
        return cipher.doFinal(attachment, 12, attachment.length - 12);
    }

    public static void main(String[] arguments) throws Exception {
        Init.init();
        Transform.register(CONTENT, AttachmentContent.class);
        var document = envelope(Path.of(arguments[0]));
        var pem = Files.readString(Path.of(arguments[2])).replaceAll("-----[A-Z ]+-----", "");
        var pkcs8 = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem));
        var key = KeyFactory.getInstance("RSA").generatePrivate(pkcs8);
        compressed = decrypt(document, Files.readAllBytes(Path.of(arguments[1])), key);

        var signature = new XMLSignature(only(document, DS, "Signature"), "", true);
        signature.getSignedInfo().addResourceResolver(new Attachments());
        var bytes = new ByteArrayInputStream(Files.readAllBytes(Path.of(arguments[3])));
        var factory = CertificateFactory.getInstance("X.509");
        var signer = (X509Certificate) factory.generateCertificate(bytes);
        if (!signature.checkSignatureValue(signer)) {
            System.out.println("the signature does not verify");
            System.exit(1);
        }
        var payload = new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes();
        Files.write(Path.of(arguments[4]), payload);
        System.out.println("verified " + signature.getSignedInfo().getLength() + " references");
    }
}

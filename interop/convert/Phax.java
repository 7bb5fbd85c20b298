import com.helger.cii.d16b.CIID16BCrossIndustryInvoiceTypeMarshaller;
import com.helger.diagnostics.error.list.ErrorList;
import com.helger.en16931.cii2ubl.CIIToUBL21Converter;
import com.helger.en16931.ubl2cii.UBLToCIIConversionHelper;
import com.helger.ubl21.UBL21Marshaller;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import oasis.names.specification.ubl.schema.xsd.creditnote_21.CreditNoteType;
import oasis.names.specification.ubl.schema.xsd.invoice_21.InvoiceType;

/** The converters of phax as a command: SOURCE TARGET SYNTAX. A refusal ends with 1. */
public final class Phax {
  public static void main(String[] args) throws Exception {
    File source = new File(args[0]);
    File target = new File(args[1]);
    ErrorList errors = new ErrorList();
    boolean written = args[2].equals("ubl") ? toUbl(source, target, errors) : toCii(source, target, errors);
    System.exit(written && errors.containsNoError() ? 0 : 1);
  }

  private static boolean toUbl(File source, File target, ErrorList errors) throws Exception {
    var read = new CIID16BCrossIndustryInvoiceTypeMarshaller().read(source);
    var made = read == null ? null : new CIIToUBL21Converter().convertCIItoUBL(read, errors);
    if (made instanceof InvoiceType) {
      return UBL21Marshaller.invoice().write((InvoiceType) made, target).isSuccess();
    }
    return made != null
        && UBL21Marshaller.creditNote().write((CreditNoteType) made, target).isSuccess();
  }

  private static boolean toCii(File source, File target, ErrorList errors) throws Exception {
    try (var in = new FileInputStream(source);
        var out = new FileOutputStream(target)) {
      return UBLToCIIConversionHelper.convertUBL21AutoDetectToCIID16B(in, out, errors).isSuccess();
    }
  }
}

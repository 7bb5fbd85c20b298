// Checks PDFs with veraPDF against PDF/A-3u and PDF/UA-1, and writes what is violated.
//
//     java -cp Mustang-CLI-2.26.0.jar interop/render/VeraPdf.java FILE…
//
// veraPDF is inside the Mustang-CLI of the Maven registry (org.mustangproject:Mustang-CLI:2.26.0).
import java.io.FileInputStream;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

public class VeraPdf {
    public static void main(String[] files) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        int bad = 0;
        for (String file : files) {
            for (PDFAFlavour flavour : new PDFAFlavour[] {PDFAFlavour.PDFA_3_U, PDFAFlavour.PDFUA_1}) {
                try (var foundry = Foundries.defaultInstance();
                        var parser = foundry.createParser(new FileInputStream(file), flavour);
                        var validator = foundry.createValidator(flavour, false)) {
                    var result = validator.validate(parser);
                    if (result.isCompliant()) continue;
                    bad++;
                    System.out.println(file + " " + flavour);
                    var seen = new java.util.HashSet<String>();
                    for (TestAssertion one : result.getTestAssertions()) {
                        String rule = one.getRuleId().getClause() + "-" + one.getRuleId().getTestNumber();
                        if (one.getStatus() == TestAssertion.Status.FAILED && seen.add(rule)) {
                            System.out.println("  " + rule + ": " + one.getMessage());
                        }
                    }
                }
            }
        }
        System.out.println(files.length + " files, " + bad + " violations of a standard");
        System.exit(bad == 0 ? 0 : 1);
    }
}

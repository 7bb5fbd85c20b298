// Writes the names of countries and currencies in the five languages of the pages, from the CLDR
// data inside Node's ICU: node interop/render/names.mjs countries|currencies > FILE
import { argv, stdout } from "node:process";
const languages = ["en", "nl", "de", "fr", "pl"];
const names = (type) => languages.map((one) => new Intl.DisplayNames([one], { type, fallback: "none" }));
function codes(kind) {
  if (kind === "currencies") return Intl.supportedValuesOf("currency");
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.flatMap((a) => letters.map((b) => a + b)).filter((one) => !/^(X[A-Z]|Q[M-Z]|ZZ|AA|EU|EZ|UN|UK|AC|CP|CQ|DG|EA|IC|TA|AN|BU|CS|DD|FX|NT|SU|TP|YD|YU|ZR|HV|DY|RH|VD|NH|CT|FQ|JT|MI|NQ|PC|PU|PZ|WK)$/.test(one));
}
const kind = argv[2];
const of = names(kind === "currencies" ? "currency" : "region");
stdout.write("# code|en|nl|de|fr|pl. From the Unicode CLDR (Unicode License v3).\n");
for (const code of codes(kind)) {
  const row = of.map((one) => one.of(code));
  if (row.every((one) => one && one !== code)) stdout.write([code, ...row].join("|") + "\n");
}

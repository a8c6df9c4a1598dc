import type { ServiceSpec } from "@levelset/core";
import { duplicateField, invalidField, requiredField, unsupportedField } from "../../../resource/index.ts";
import { ipErrors, optionalEnumErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { isHeadless } from "./service-type.ts";

type LooseSpec = Unvalidated<ServiceSpec>;

const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** Validates that clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy are consistent. */
export function* addressFieldErrors(spec: LooseSpec): FieldErrors {
  if (spec.type === "ExternalName") return;
  const { clusterIP = "", clusterIPs = [], ipFamilies = [] } = spec;
  const at = "spec.clusterIPs";
  if (clusterIP !== "" && clusterIPs.length === 0) yield requiredField(at);
  else if (clusterIP !== "" && clusterIPs[0] !== clusterIP) {
    yield invalidField(at, clusterIPs, "first value must match `clusterIP`");
  } else if (clusterIP === "" && clusterIPs.length > 0) {
    yield invalidField(at, clusterIPs, "must be empty when `clusterIP` is not specified");
  }
  for (const [index, family] of ipFamilies.entries()) {
    if (!FAMILIES.includes(family)) yield unsupportedField(`spec.ipFamilies[${index}]`, family, FAMILIES);
    if (ipFamilies.indexOf(family) < index) yield duplicateField(`spec.ipFamilies[${index}]`, family);
  }
  yield* optionalEnumErrors("spec.ipFamilyPolicy", spec.ipFamilyPolicy, POLICIES);
  const errors = [...addressErrors(clusterIPs)];
  yield* errors;
  if (clusterIPs.length > 2) yield invalidField(at, clusterIPs, "may only hold up to 2 values");
  if (errors.length > 0) return;
  const families = clusterIPs.map((address) => (address.includes(":") ? "IPv6" : "IPv4"));
  if (clusterIPs.length > 1 && new Set(families).size < 2) {
    yield invalidField(at, clusterIPs, "may specify no more than one IP for each IP family");
  }
  if (isHeadless(spec)) return;
  for (const [index, family] of families.entries()) {
    const expected = ipFamilies[index];
    if (expected === undefined || expected === family) continue;
    const why = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``;
    yield invalidField(`${at}[${index}]`, clusterIPs[index], why);
  }
}

function* addressErrors(addresses: readonly string[]): FieldErrors {
  for (const [index, address] of addresses.entries()) {
    if (index > 0 || address !== "None") yield* ipErrors(`spec.clusterIPs[${index}]`, address);
    else if (addresses.length > 1) {
      yield invalidField("spec.clusterIPs", addresses, "'None' must be the first and only value");
    }
  }
}

/** Returns the number of code points of a string. */
export function codePointCount(text: string): number {
  let size = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd8_00 || unit > 0xdb_ff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc_00 || next > 0xdf_ff) continue;
    size -= 1;
    index += 1;
  }
  return size;
}

/** Splits a string into code points. */
export function codePoints(text: string): readonly string[] {
  return Array.from(text);
}

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; undefined if it is invalid. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch {
    return undefined; // a fatal decoder throws only for malformed input
  }
}

/** Text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Formats a double with the fewest digits that identify it, with an exponent below 1e-4 and from 1e21. */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  const digits = mantissa.replace(/[-.]/g, "").length;
  if (value !== 0 && (power < -4 || power >= 21)) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  if (Object.is(value, -0)) return "-0";
  return power < 0 ? value.toFixed(Math.min(100, digits - 1 - power)) : String(value);
}

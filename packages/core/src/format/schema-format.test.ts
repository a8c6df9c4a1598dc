import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isCidr, isIp, isUrl, parseIp } from "../net/index.ts";
import { schemaFormats } from "./schema-format.ts";

/** Reports whether the text has the format. */
function has(format: string, text: string): boolean {
  const check = schemaFormats.get(format);
  if (check === undefined) throw new Error(`no format ${format}`);
  return check(text);
}

const VALID: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011"],
  uri: ["http://a/b", "/a", "*", "mailto:x", "x://a:1,b:2", "http://[fe80::1%25e%20n]:80/", "http://u:p@%e4%bd%a0/"],
  email: [
    "a@b",
    "a.b@c.d",
    '"a b"@c',
    "a@[1.2.3.4]",
    "a@[::1]",
    "ä@ö",
    "<a@b>",
    "A B <a@b>",
    '"A, B" <a@b>',
    "g: a@b;",
    "a@b (c)",
    "a@b(c (d) \\) e)",
    " a@b ",
    "A (c) B <a@b>",
    "=?utf-8?q?x?= <a@b>",
    "A.B. <a@b>",
    "A =?x?q?y?= <a@b>",
  ],
  hostname: ["a", "a-b", "a-", "1", "a.bc", "1a.b-c.de", "ä.fr", "☃.net", `${"x".repeat(63)}.com`],
  ipv4: ["1.2.3.4", "01.002.3.0004", "::ffff:1.2.3.4"],
  ipv6: ["::", "::1", "1::", "fe80::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
  cidr: ["1.2.3.4/8", "01.2.3.4/032", "::/0", "::1/128", "00001::/8"],
  mac: ["00:00:5e:00:53:01", "00-00-5E-00-53-01", "0000.5e00.5301", "02:00:5e:10:00:00:00:01"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"],
  uuid3: ["123e4567-e89b-32d3-0456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000"],
  uuid5: ["123e4567-e89b-52d3-A456-426614174000"],
  isbn: ["0321751043", "978-0321751041"],
  isbn10: ["0321751043", "0-321-75104-3", "080442957X"],
  isbn13: ["978-0321751041", "978 0321751041"],
  creditcard: ["4111-1111-1111-1111", "5555 5555 5555 4444", "378282246310005", "3530111333300000"],
  ssn: ["111-11-1111", "111 11-1111"],
  hexcolor: ["#FFF", "fff", "#00ff00"],
  rgbcolor: ["rgb(0,10,255)", "rgb( 1 ,\t2,3 )"],
  byte: ["YQ==", "YWI=", "YWJj", "YWJjZA=="],
  password: ["", "anything"],
  date: ["2024-02-29", "0000-01-01"],
  duration: ["1h", "0", "22 ns", "1 day", "3 weeks", "about 2 minutes", "1 wk", "5hr", "1 Days"],
  datetime: ["2014-12-15T19:30:20.000Z", "2014-12-15t19:30:20z", "2014-12-15T19:30:20+99:99", "2014-12-15T19:30:20ZTx"],
  "date-time": ["2014-12-15T19:30:20.000Z"],
  "k8s-short-name": ["a", "a-1", "x".repeat(63)],
  "k8s-long-name": ["a.b", "x".repeat(253)],
};

const INVALID: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
  uri: [
    "",
    "a",
    "a/b",
    "/%",
    "http://a b",
    "http://[::1",
    "http://[::1%25]",
    "http://[::1%25%2f]",
    "http://a:1:2",
    "http://%41",
  ],
  email: [
    "",
    "a",
    "a@",
    "@b",
    "a@b c",
    "a..b@c",
    ".a@b",
    "a@b.",
    '""@b',
    '"a@b',
    "a@[x]",
    "a@[fe80::1%e]",
    "<a@b",
    "A a@b",
    "g:;",
    "g: a@b, c@d;",
    "g: a@b",
    "a@b (c",
    "a@b, c@d",
    "=?x?q?y?= <a@b>",
    "a@b (=?x?q?y?=)",
    "a\n@b",
    "(c) a@b",
    "=?utf-8?q?x?= (c) <a@b>",
  ],
  hostname: [
    "",
    "-a",
    "a_b",
    "a-b-c",
    "a.b",
    "a.b1",
    "a..bc",
    "a.bc.",
    `${"x".repeat(64)}.com`,
    "ab.".repeat(90) + "com",
  ],
  ipv4: ["1.2.3", "1.2.3.256", "::1", "1.2.3.4 ", "1.2.3.0xf"],
  ipv6: ["1.2.3.4", "fe80::1%eth0", "00001::", "1:2", ":::", "::1.2.3.04"],
  cidr: ["1.2.3.4", "1.2.3.4/33", "::/129", "1.2.3.4/", "1.2.3.4/8/8", "/8"],
  mac: ["00:00:5e:00:53", "00:00:5e-00-53:01", "00005e005301", "0000.5e00:5301", "g0:00:5e:00:53:01"],
  uuid: ["", "123e4567-e89b-12d3-a456-42661417400", "{123e4567-e89b-12d3-a456-426614174000}"],
  uuid3: ["123e4567-e89b-12d3-a456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-c456-426614174000"],
  uuid5: ["123e4567-e89b-42d3-a456-426614174000"],
  isbn: ["0321751044", "1"],
  isbn10: ["0321751044", "X321751043"],
  isbn13: ["978-0321751042", "9780321751041X"],
  creditcard: ["4111-1111-1111-1112", "1234567890123456", ""],
  ssn: ["111111111", "111-11-111a", "11-111-1111"],
  hexcolor: ["#ffff", "red", "#ggg"],
  rgbcolor: ["rgb(256,0,0)", "rgb(01,0,0)", "rgb(0,0)", "RGB(0,0,0)"],
  byte: ["", "YQ", "YQ=", "Y===", "====", "YW-_", "YQ==\n"],
  date: ["2023-02-29", "2023-2-1", "2023-13-01", ""],
  duration: ["", "1", "day", "1 fortnight", "99999999999999999999 days"],
  datetime: [
    "2014-12-15",
    "2014-12-15T24:00:00Z",
    "2014-12-15T19:30:20",
    "2014-13-15T19:30:20Z",
    "2014-12-15 19:30:20Z",
  ],
  "date-time": ["2014-12-15"],
  "k8s-short-name": ["", "A", "a.b", "-a", "x".repeat(64)],
  "k8s-long-name": ["", "a..b", "A.b", "x".repeat(254)],
};

const cases = (table: typeof VALID): readonly [string, string][] =>
  Object.entries(table).flatMap(([format, texts]) => texts.map((text): [string, string] => [format, text]));

test("every format has examples", () => {
  expect(Object.keys(VALID)).toEqual([...schemaFormats.keys()]);
});

test.each(cases(VALID))("the %s %j is valid", (format, text) => {
  expect(has(format, text)).toBe(true);
});

test.each(cases(INVALID))("the %s %j is rejected", (format, text) => {
  expect(has(format, text)).toBe(false);
});

const piece = fc.constantFrom(
  ..."http: x: // / a b.c @ u:p [::1] [fe80::1%25e] [1.2.3.4] [ ] % %20 %2f %e4 %25 ? # : :80 :: 1 ffff 1.2.3.4 . / 8 ä ^".split(
    " ",
  ),
);

test("addresses and URLs are validated like the net folder parses them", () => {
  fc.assert(
    fc.property(fc.constantFrom("", "http://", "x://"), fc.array(piece, { maxLength: 9 }), (start, pieces) => {
      const text = start + pieces.join("");
      expect(has("uri", text)).toBe(isUrl(text));
      expect(isIp(text) && !has(`ipv${parseIp(text).family}`, text)).toBe(false);
      expect(isCidr(text) && !has("cidr", text)).toBe(false);
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV6(), fc.ipV4()), (text) => {
      expect(has("ipv6", text)).toBe(text.includes(":"));
      expect(has("ipv4", text)).toBe(text.includes("."));
    }),
  );
});

const HOSTILE = '0 1 a A - . : :: / @ % %2 ( ) " \\ [ ] < , ; = ä µ rgb( 1, 1. a. a- a@ 1s =? T 4 X'.split(" ");

test.each([...schemaFormats.keys()])("%s validates long hostile strings in linear time", (format) => {
  for (const part of [...HOSTILE, " ", "\t", "1 "]) {
    const hostile = part.repeat(50_000);
    for (const text of [
      hostile,
      `${hostile}\n`,
      `"${hostile}`,
      `g: ${hostile}`,
      `http://${hostile}`,
      `rgb(${hostile}`,
    ]) {
      expect(typeof has(format, text)).toBe("boolean");
    }
  }
});

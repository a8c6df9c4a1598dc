/** What goes into a statement. */
export type SqlValue = string | number | null;

/** A statement with its parameters, `$1` being the first. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly SqlValue[];
  /** Whether the same text is sent again and again, so that a database may keep what it made of it. */
  readonly isPrepared?: true;
}

/** A row that came out of a database: integers are numbers, or their texts where they are of 64 bits. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A text that must be there. */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`${column} is no text in the database`);
  return value;
}

/** An integer that must be there. */
export function integerIn(row: SqlRow, column: string): number {
  const value = optionalInteger(row, column);
  if (value === undefined) throw new TypeError(`${column} is no integer in the database`);
  return value;
}

/** A text, or undefined for NULL. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  return row[column] === null || row[column] === undefined ? undefined : textIn(row, column);
}

/** An integer, or undefined for NULL. */
export function optionalInteger(row: SqlRow, column: string): number | undefined {
  const value = row[column];
  if (value === null || value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TypeError(`${column} is no integer in the database`);
  return number;
}

/** Collects parameters while a statement is written. The same value is the same parameter. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** The text that stands for a value. */
  add(value: SqlValue): string {
    const known = this.values.indexOf(value);
    return `$${known === -1 ? this.values.push(value) : known + 1}`;
  }

  /** Takes over the parameters of a part that was written for as many parameters before it as there are now. */
  append(values: readonly SqlValue[]): void {
    this.values.push(...values);
  }
}

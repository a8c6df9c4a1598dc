/** A template that cannot be read, or whose execution failed. Says where. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /** The line of the template, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(`line ${line} of the template: ${message}`);
    this.line = line;
  }
}

/** Reads one search parameter of an address; returns its default for a value that makes no sense. */
export type ParameterReader<Value> = (raw: unknown) => Value;

type ReadersOf<Shape> = { readonly [Name in keyof Shape]: ParameterReader<Shape[Name]> };

/**
 * Returns a `validateSearch` of TanStack Router: every state of a page is a typed search parameter.
 * Parameters at their default (undefined) do not appear in the address; unknown ones are dropped.
 */
export function searchParameters<Shape extends object>(
  readers: ReadersOf<Shape>,
): (raw: Record<string, unknown>) => Shape {
  return (raw) => {
    const read: Partial<Shape> = {};
    for (const name of Object.keys(readers) as (keyof Shape & string)[]) {
      const value = readers[name](raw[name]);
      if (value !== undefined) read[name] = value;
    }
    return read as Shape;
  };
}

/** A string; numbers that the address bar made of digits are strings again. */
export function stringParameter(): ParameterReader<string | undefined> {
  return (raw) => {
    if (typeof raw === 'string') return raw;
    return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
  };
}

export function choiceParameter<const Choice extends string>(
  choices: readonly Choice[],
): ParameterReader<Choice | undefined> {
  return (raw) => choices.find((choice) => choice === raw);
}

export function stringsParameter(): ParameterReader<readonly string[] | undefined> {
  const string = stringParameter();
  return (raw) => {
    const values = (Array.isArray(raw) ? raw : [raw]).map(string).filter((one) => one !== undefined);
    return values.length === 0 ? undefined : values;
  };
}

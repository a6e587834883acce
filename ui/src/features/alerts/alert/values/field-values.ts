/** A value of a record, and the field that holds it. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/** Returns the value that an element stands for: `data-field` and `data-value` of it or of an ancestor. */
export function valueOfElement(element: Element | null): FieldValue | undefined {
  const marked = element?.closest<HTMLElement>('[data-value]') ?? undefined;
  const { field = '', value } = marked?.dataset ?? {};
  return value === undefined ? undefined : { field, value };
}

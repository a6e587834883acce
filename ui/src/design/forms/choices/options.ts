/** A choice in a Select, a Combobox or a RadioGroup. */
export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** More words, in a quieter colour. */
  readonly detail?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** Returns the option of a value; a value without one is its own label. */
export function optionOf<Value extends string>(options: readonly Option<Value>[], value: Value): Option<Value> {
  return options.find((option) => option.value === value) ?? { value, label: value };
}

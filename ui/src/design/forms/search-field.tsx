import type { ReactElement } from 'react';
import { TextField } from './text-field.tsx';

interface Props {
  /** Names what is searched; the empty field shows it. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Draws the field that narrows a list while one types. */
export function SearchField({ label, value, onChange }: Props): ReactElement {
  return <TextField label={label} labelHidden placeholder={label} value={value} onChange={onChange} />;
}

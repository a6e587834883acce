import { type ReactElement, useRef } from 'react';
import { useCommands } from '../../keys/commands.tsx';
import { TextField } from './text-field.tsx';

interface Props {
  /** Names what is searched; the empty field shows it. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** True where the page has a search of its own, which `/` leads to. */
  readonly isSecondary?: boolean | undefined;
}

/** Draws the field that narrows a list while one types; `/` leads to it. */
export function SearchField({ label, value, onChange, isSecondary = false }: Props): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  useCommands(isSecondary ? [] : [{ id: 'query', name: label, run: () => input.current?.select() }]);
  return <TextField ref={input} label={label} labelHidden placeholder={label} value={value} onChange={onChange} />;
}

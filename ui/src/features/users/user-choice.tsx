import type { Ref } from 'react';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { useUserOptions } from './use-user-options.ts';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (user: string | undefined) => void;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** Draws the choice of a user, found by name, user name or e-mail address. */
export function UserChoice(props: Props) {
  return <Combobox {...props} {...useUserOptions()} />;
}

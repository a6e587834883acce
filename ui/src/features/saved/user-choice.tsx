import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Combobox } from '../../design/forms/combobox.tsx';
import { searchUsers } from '../alerts/triage/searches.ts';
import { useLater } from '../alerts/triage/use-later.ts';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (user: string | undefined) => void;
}

/** Draws the choice of a user, found by name, user name or e-mail address. */
export function UserChoice({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const query = useLater(typed);
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'users', query],
    queryFn: ({ signal }) => searchUsers(query, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Combobox
      label={label}
      options={data.map(({ username, name }) => ({ value: username, label: name, detail: username }))}
      value={value}
      onChange={onChange}
      onQuery={setTyped}
    />
  );
}

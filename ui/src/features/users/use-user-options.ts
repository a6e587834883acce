import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLater } from '../../design/forms/use-later.ts';
import { searchUsers } from './search-users.ts';

/** Returns users to choose from, searched by what is typed. */
export function useUserOptions() {
  const [typed, setTyped] = useState('');
  const query = useLater(typed);
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'users', query],
    queryFn: ({ signal }) => searchUsers(query, signal),
    placeholderData: keepPreviousData,
  });
  const options = data.map(({ username, name }) => ({ value: username, label: name, detail: username }));
  return { options, onQuery: setTyped };
}

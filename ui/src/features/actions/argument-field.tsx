import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import type { Option } from '../../design/forms/choices/options.ts';
import { Select } from '../../design/forms/choices/select.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useLater } from '../../design/forms/use-later.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { searchCases, searchLabels } from '../alerts/triage/requests/searches.ts';
import { searchUsers } from '../users/search-users.ts';
import { argumentName } from './action-words.ts';
import { type AskedArgument, argumentText, type Given } from './operation-arguments.ts';

interface Props {
  readonly argument: AskedArgument;
  readonly given: Given;
  readonly onChange: (value: string) => void;
  readonly disabled: boolean;
}

/** More options are found by typing. */
const MAX_SELECT = 15;

/** Draws the control of one argument: a choice, a search for what is meant, or any text. */
export function ArgumentField({ argument: { name, options }, given, onChange, disabled }: Props) {
  const { t } = useTranslation();
  const label = argumentName(t, name);
  const value = argumentText(given, name);
  const present = value === '' ? undefined : value;
  if (options !== undefined) {
    const all = options.map((option) => ({ value: option, label: option }));
    const hint = options.length === 0 ? t('actions.firstChoose') : undefined;
    const isDisabled = disabled || options.length === 0;
    if (options.length <= MAX_SELECT) {
      return <Select {...{ label, hint, onChange, disabled: isDisabled }} options={all} value={present} />;
    }
    return (
      <Combobox {...{ label, disabled }} data options={all} value={present} onChange={(one) => onChange(one ?? '')} />
    );
  }
  const search = SEARCHES[name];
  if (search !== undefined) {
    const context = argumentText(given, 'category');
    return <SearchedField {...{ name, label, value: present, onChange, disabled, search, context }} />;
  }
  return <TextField {...{ label, value, onChange, disabled }} data />;
}

/** @param context the set of labels */
type Search = (typed: string, context: string, signal: AbortSignal) => Promise<readonly Option[]>;

/** Arguments that name something stored. */
const SEARCHES: Readonly<Record<string, Search>> = {
  case_id: async (typed, _context, signal) =>
    (await searchCases(typed, signal)).map(({ id, title }) => ({ value: id, label: title, detail: id })),
  assignee: async (typed, _context, signal) =>
    (await searchUsers(typed, signal)).map(({ username, name }) => ({
      value: username,
      label: username,
      detail: name,
    })),
  label: async (_typed, context, signal) =>
    (await searchLabels(context === '' ? 'generic' : context, signal)).map((value) => ({ value, label: value })),
};

interface SearchedProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly disabled: boolean;
  readonly search: Search;
  readonly context: string;
}

function SearchedField({ name, label, value, onChange, disabled, search, context }: SearchedProps) {
  const [typed, setTyped] = useState('');
  const query = useLater(typed);
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'actions', 'argument', name, query, context],
    queryFn: ({ signal }) => search(query, context, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Combobox
      {...{ label, value, disabled }}
      data
      options={data}
      onChange={(one) => onChange(one ?? '')}
      onQuery={setTyped}
      allowNew
    />
  );
}

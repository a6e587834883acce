import { Combobox } from '@base-ui/react/combobox';
import { useTranslation } from '../../../i18n/translation.ts';
import type { Option } from './options.ts';

/** More options than a person reads; a list of 10,000 labels stays fast. */
const MAX_SHOWN = 100;

interface Source {
  readonly options: readonly Option[];
  readonly onQuery?: ((query: string) => void) | undefined;
  readonly allowNew?: boolean | undefined;
}

/**
 * Returns the options that contain what is typed, and how many were left out.
 * With `allowNew` the last one adds what is typed, unless an option or a chosen value is the same.
 */
export function useOptionFilter(
  { options, onQuery, allowNew }: Source,
  query: string,
  chosen: readonly string[],
): { readonly shown: readonly Option[]; readonly left: number } {
  const { t, i18n } = useTranslation();
  const { contains } = Combobox.useFilter({ locale: i18n.language });
  const text = query.trim();
  const found =
    onQuery === undefined && text !== ''
      ? options.filter(({ label, value }) => contains(label, text) || contains(value, text))
      : options;
  const isKnown = chosen.includes(text) || options.some(({ value }) => value === text);
  const added: Option[] =
    allowNew && text !== '' && !isKnown ? [{ value: text, label: text, detail: t('design.newOption') }] : [];
  return { shown: [...found.slice(0, MAX_SHOWN), ...added], left: Math.max(0, found.length - MAX_SHOWN) };
}

import { Kbd } from '../design/controls/kbd.tsx';
import { useTranslation } from '../i18n/translation.ts';

/** Draws each of the keys of a command, or says that it has none. */
export function ShownKeys({ keys }: { readonly keys: readonly string[] }) {
  const { t } = useTranslation();
  if (keys.length === 0) return t('shell.keys.none');
  return keys.map((one) => <Kbd key={one} keys={one} />);
}

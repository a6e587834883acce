import '../design/styles.ts';
import { createRoot } from 'react-dom/client';
import { DesignRoot } from '../design/design-root.tsx';
import { type Language, showLanguage } from '../i18n/i18n.ts';
import { CommandProvider } from '../keys/commands.tsx';
import { DEFAULT_KEYS } from '../keys/key-map.ts';
import { Gallery } from './gallery.tsx';

// ?theme=dark|light, ?language=en|fr, ?density=comfortable, ?section=<id> for one section alone.
const wanted = new URLSearchParams(location.search);
const root = document.documentElement;
root.dataset.theme = wanted.get('theme') ?? 'dark';
root.dataset.density = wanted.get('density') ?? 'compact';
const language: Language = wanted.get('language') === 'fr' ? 'fr' : 'en';

await showLanguage(language);
createRoot(document.getElementById('root') as HTMLElement).render(
  <CommandProvider preferences={DEFAULT_KEYS}>
    <DesignRoot>
      <Gallery section={wanted.get('section') ?? undefined} />
    </DesignRoot>
  </CommandProvider>,
);

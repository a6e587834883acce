import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useContext } from 'react';
import { NavigateContext } from '../../design/data/navigate-context.ts';
import { viewsQuery } from '../../features/query/sources/saved-views.ts';
import { useViewTitle } from '../../features/query/sources/view-title.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { type PaletteEntry, useKeysOf, useOfferedCommands } from '../../keys/commands.tsx';
import { bindingOf, COMMAND_IDS, type CommandGroup, type CommandId } from '../../keys/key-map.ts';
import { useRailEntries } from '../use-rail-entries.ts';
import type { Matchable } from './palette-matches.ts';

export interface PaletteRow extends Matchable {
  readonly id: string;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Entries of the present page come first. */
const ORDER: readonly CommandGroup[] = ['triage', 'case', 'page', 'list', 'go'];

/** Returns the commands of the page at hand, the parts of all pages, and the saved views. */
export function usePaletteRows(): PaletteRow[] {
  const { entries } = useOfferedCommands();
  return [...useCommandRows(), ...entries, ...usePageEntries(), ...useViewEntries()];
}

function useCommandRows(): PaletteRow[] {
  const { t } = useTranslation();
  const keysOf = useKeysOf();
  const { commands } = useOfferedCommands();
  const rail = useRailEntries();
  const placeOf = (id: CommandId) => ORDER.indexOf(bindingOf(id).group) * COMMAND_IDS.length + COMMAND_IDS.indexOf(id);
  return commands
    .filter(({ id, isEnabled }) => id !== 'palette' && isEnabled !== false)
    .toSorted((left, right) => placeOf(left.id) - placeOf(right.id))
    .map(({ id, name, run }) => {
      const page = rail.find(({ command }) => command === id);
      return {
        id,
        run,
        name: name ?? t(`keys.commands.${id}`),
        shortName: page && t(`shell.rail.${page.name}`),
        hint: t(`keys.groups.${bindingOf(id).group}`),
        keys: keysOf(id)[0],
      };
    });
}

function usePageEntries(): PaletteEntry[] {
  const { t } = useTranslation();
  const { routesById } = useRouter();
  const navigate = useContext(NavigateContext);
  const pages = useRailEntries().map(({ name }) => name);
  const parts = Object.values(routesById).flatMap((route) => route.options.staticData?.pageLinks ?? []);
  return parts
    .filter(({ page }) => pages.includes(page))
    .flatMap(({ page, links }) =>
      links.map(({ name, href }) => ({
        id: href,
        name: t('shell.palette.goTo', { page: name(t) }),
        hint: t(`shell.rail.${page}`),
        run: () => navigate?.(href),
      })),
    );
}

function useViewEntries(): PaletteEntry[] {
  const { t } = useTranslation();
  const { data = [] } = useQuery(viewsQuery);
  const titleOf = useViewTitle();
  const navigate = useContext(NavigateContext);
  return data.map((view) => ({
    id: `view ${view.view_id}`,
    name: t('shell.palette.openView', { title: titleOf(view) }),
    hint: t('shell.rail.views'),
    run: () => navigate?.(`/alerts?view=${encodeURIComponent(view.view_id)}`),
  }));
}

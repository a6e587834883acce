import { Globe } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Menu } from '../../design/overlays/menu.tsx';
import { MenuItem } from '../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { askable, type Source } from './ask.ts';
import { AskQuestion } from './ask-question.tsx';
import type { Selector } from './text-rows.ts';

interface Props {
  readonly selectors: readonly Selector[];
  readonly sources: readonly Source[];
  readonly onAsk: (source: Source) => void;
}

/**
 * Offers the sources outside of the installation. Each is asked alone, after a question that
 * names the values.
 */
export function AskMenu({ selectors, sources, onAsk }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Source>();
  const [isOpen, setOpen] = useState(false);
  const outside = sources.filter(({ reach }) => reach !== 'local');
  const choose = (source: Source) => {
    setChosen(source);
    setOpen(true);
  };
  useCommands(
    [],
    outside
      .filter((source) => askable(source, selectors).length > 0)
      .map((source) => ({
        id: `ask ${source.name}`,
        name: t('lookUp.ask', { name: source.name }),
        hint: t('lookUp.askOthers'),
        run: () => choose(source),
      })),
  );
  if (outside.length === 0) return null;
  return (
    <>
      <Menu align="end" trigger={<Button icon={Globe}>{t('lookUp.askOthers')}</Button>}>
        {outside.map((source) => {
          const count = askable(source, selectors).length;
          return (
            <MenuItem
              key={source.name}
              disabled={count === 0}
              detail={t(source.reach === 'passive' ? 'lookUp.passive' : 'lookUp.active', { count })}
              onSelect={() => choose(source)}
            >
              {source.name}
            </MenuItem>
          );
        })}
      </Menu>
      <AskQuestion
        open={isOpen}
        source={chosen}
        values={chosen === undefined ? [] : askable(chosen, selectors)}
        onClose={() => setOpen(false)}
        onAsk={onAsk}
      />
    </>
  );
}

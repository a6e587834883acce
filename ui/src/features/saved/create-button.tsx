import { Plus } from 'lucide-react';
import { Button } from '../../design/controls/button.tsx';
import { useCommands, useKeys } from '../../keys/commands.tsx';

interface Props {
  readonly label: string;
  readonly onCreate: () => void;
}

/** Begins another object, by press or by the key for it. */
export function CreateButton({ label, onCreate }: Props) {
  const keys = useKeys('create');
  useCommands([{ id: 'create', name: label, run: onCreate }]);
  return (
    <Button kind="primary" icon={Plus} keys={keys} onClick={onCreate}>
      {label}
    </Button>
  );
}

import { useEffect, useState } from 'react';

/** Pause in ms after the last keystroke before a search. */
const PAUSE = 200;

/** Returns a value that follows another one when it has not changed for a moment. */
export function useLater<Value>(value: Value): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

// The icons, as paths in a box of 24 by 24.

/** @type {Record<string, string>} */
export const ICONS = {
  undo: 'M9 7H5V3M5.5 7A8 8 0 1 1 4 13',
  redo: 'M15 7h4V3M18.5 7A8 8 0 1 0 20 13',
  end: 'M5 12.500l4.5 4.500L19 7.5',
  flip: 'M8 4v15M8 4L4.5 7.500M8 4l3.5 3.500M16 20V5M16 20l-3.5-3.500M16 20l3.5-3.5',
  sound: 'M4 9v6h4l5 4V5L8 9zM16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11',
  muted: 'M4 9v6h4l5 4V5L8 9zM16.500 9.500l5 5M21.500 9.500l-5 5',
  hint: 'M9.500 18h5M10.500 21h3M8.500 14.500a5.500 5.500 0 1 1 7 0c-.7.6-1 1.200-1 2h-5c0-.8-.3-1.400-1-2z',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  help: 'M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 18v.1',
  first: 'M18 5l-8 7 8 7M6 5v14',
  back: 'M15 5l-8 7 8 7',
  next: 'M9 5l8 7-8 7',
  last: 'M6 5l8 7-8 7M18 5v14',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M12 19V5M12 5l-6 6M12 5l6 6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
};

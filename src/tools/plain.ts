// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Words as they are compared: case, width and accents do not make another word.

export const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();

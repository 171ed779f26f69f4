#!/bin/sh
# Installs Bastide for the user, or removes it with --uninstall.
set -eu
cd "$(dirname "$0")"
prefix=${PREFIX:-$HOME/.local}
case $prefix in
  *[\"\\\$\`%]*) echo "error: PREFIX must not contain any of: \" \\ \$ \` %" >&2; exit 1 ;;
  /*) ;;
  *) echo "error: PREFIX must be an absolute path" >&2; exit 1 ;;
esac

# Updates the databases of the desktop, if their programs are installed.
register() {
  for update in "update-desktop-database -q $1applications" "update-mime-database $1mime" "gtk-update-icon-cache -qtf $1icons/hicolor"; do
    program=${update%% *}
    if command -v "$program" >/dev/null && [ -d "$prefix/share/${update##* "$1"}" ]; then
      (cd "$prefix/share" && $update >/dev/null 2>&1) || echo "note: $program failed" >&2
    fi
  done
}

case ${1:-} in
  --uninstall)
    find bin share -type f | while IFS= read -r file; do rm -f "$prefix/$file"; done
    rmdir "$prefix/share/doc/bastide" 2>/dev/null || true
    register ./
    echo "removed from $prefix; your games and mods stay"
    ;;
  '')
    find bin share -type f | while IFS= read -r file; do
      mkdir -p "$prefix/$(dirname "$file")"
      # A program that runs can be replaced, but not overwritten.
      cp "$file" "$prefix/$file.new"
      mv -f "$prefix/$file.new" "$prefix/$file"
    done
    # The folder of the programs may not be in the PATH of the desktop.
    for entry in share/applications/*.desktop; do
      while IFS= read -r line; do
        case $line in
          Exec=bastide-editor*) printf 'Exec="%s/bin/bastide-editor"%s\n' "$prefix" "${line#Exec=bastide-editor}" ;;
          *) printf '%s\n' "$line" ;;
        esac
      done <"$entry" >"$prefix/$entry"
    done
    register ./
    echo "installed in $prefix; start it with $prefix/bin/bastide-editor"
    ;;
  *)
    echo "usage: sh install.sh [--uninstall]" >&2
    exit 2
    ;;
esac

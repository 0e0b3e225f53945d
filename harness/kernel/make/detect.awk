# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v tree=TREE -f detect.awk TABLE: print the feature header of a tree (see the table `features`).

# The text of a file on one line, '' if there is no such file.
function text_of(file,    line) {
	if (!(file in text)) {
		RS = "\001" # in no file: all of it
		getline line <(tree "/" file)
		RS = "\n"
		gsub(/\n/, " ", line)
		text[file] = line
		close(tree "/" file)
	}
	return text[file]
}

/^#/ || NF < 3 { next }
{
	regex = $0
	sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", regex)
	for (i = split($2, files, ","); i > 0; i--)
		if (text_of(files[i]) ~ regex) {
			print "#define " $1 " 1"
			break
		}
}

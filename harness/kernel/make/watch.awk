# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v names='A B C' -v protos=FILE -f watch.awk SOURCE: print the source with, in front of each of these
# functions, another linkage and nothing else changed:
#
#	static __always_inline int f(int a)  ->  <real_f is f> __attribute__((weak)) int f(int a)
#
# So a definition of f elsewhere gets all calls of f, real_f stays the kernel's own, and no compiler may inline
# a weak function or assume anything about it. Lines keep their numbers. FILE gets a line "@NAME TAB prototype"
# for each definition (with @ for the name), behind those types of this file alone that the prototypes mention.

BEGIN {
	for (i = split(names, list, " "); i > 0; i--)
		wanted[list[i]] = 1
	printf "" >protos
	print "# 1 \"" ARGV[1] "\""
	BEFORE = "(^|[^A-Za-z0-9_])"
	AFTER = "([^A-Za-z0-9_]|$)"
}

# The name that @text declares, if it is wanted. Attributes with arguments may be before it.
function declared(text,    at, name) {
	while ((at = match(text, /[A-Za-z0-9_]+[ \t]*\(/)) && substr(text, 1, at) !~ /=/) {
		name = substr(text, at, RLENGTH - 1)
		sub(/[ \t]+$/, "", name)
		if (name in wanted)
			return name
		if (name !~ /^__/)
			break
		text = substr(text, at + RLENGTH)
	}
	return ""
}

function without_linkage(text) {
	text = " " text " "
	while (sub(/[ \t](static|extern|inline|__always_inline|__inline|noinline|noinline_for_stack|__maybe_unused)[ \t]/, " ", text))
		continue
	return substr(text, 2, length(text) - 2)
}

function relink(name, is_definition,    i, at) {
	for (i = first; i <= NR && !at; i++) {
		at = match(line[i], BEFORE name "[ \t]*\\(")
		if (at)
			line[i] = without_linkage(substr(line[i], 1, at)) substr(line[i], at + 1)
		else
			line[i] = without_linkage(line[i])
	}
	line[first] = "__attribute__((weak)) " line[first]
	if (is_definition)
		line[first] = "__asm__(\".globl real_" name "\\n.hidden real_" name "\\n.set real_" name ", " name "\"); " line[first]
}

# The head of a definition up to the parenthesis that closes its arguments.
function prototype(name, text,    at, i, depth, c) {
	text = without_linkage(text)
	gsub(/[ \t]+/, " ", text)
	while (sub(/(^| )__(meminit|init|ref|sched|cold) /, " ", text))
		continue
	at = match(" " text, BEFORE name " ?\\(")
	text = substr(text, 1, at - 1) "@" substr(text, at + length(name))
	for (i = at + 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		depth += (c == "(") - (c == ")")
		if (depth == 0 && c == ")")
			return substr(text, 1, i)
	}
	return "?"
}

function end_of_head(    is_definition, name, proto) {
	name = declared(head)
	if (name == "")
		return
	is_definition = head ~ /^[^;]*\{/
	if (is_definition) {
		proto = prototype(name, head)
		if (name in proto_of && proto_of[name] != proto)
			proto = "?"
		proto_of[name] = proto
	}
	relink(name, is_definition)
}

{ line[NR] = $0 }

# The types of this file.
in_type {
	type[in_type] = type[in_type] "\n" $0
	if (/^}/)
		in_type = ""
	next
}
!head && /^(enum|struct|union) [A-Za-z0-9_]+ \{/ {
	in_type = $1 " " $2
	type[in_type] = $0
	next
}
!head && /^typedef .*;/ {
	name = $0
	sub(/;.*/, "", name)
	sub(/^.*[^A-Za-z0-9_]/, "", name)
	type[name] = $0
	next
}

# The head of a function: from a line that begins with a word to a brace or a semicolon.
head { head = head " " $0 }
!head && /^[A-Za-z_]/ && !/^[A-Za-z0-9_]+:/ {
	first = NR
	head = $0
}
head && /[{;]/ {
	end_of_head()
	head = ""
}

# Is @name defined at line @i, though no head of a function was seen there? NAME(...) and a brace.
function defined_at(name, i,    text, last) {
	if (!match(line[i], BEFORE name "[ \t]*\\("))
		return 0
	text = substr(line[i], RSTART)
	for (last = i + 10; text !~ /[;{]/ && i < last; )
		text = text " " line[++i]
	return text ~ ("^.?" name "[ \t]*\\([^(){};]*\\)[ \t]*\\{")
}

END {
	for (name in wanted)
		for (i = 1; i <= NR && !(name in proto_of); i++)
			if (index(line[i], name) && defined_at(name, i)) {
				print "error: " ARGV[1] ":" i ": cannot tell how " name " is defined" >"/dev/stderr"
				exit 1
			}
	for (i = 1; i <= NR; i++)
		print line[i]
	for (t in type)
		for (name in proto_of)
			if (proto_of[name] ~ BEFORE t AFTER && !(t in said)) {
				print type[t] >protos
				said[t] = 1
			}
	for (name in proto_of)
		print "@" name "\t" proto_of[name] >protos
}

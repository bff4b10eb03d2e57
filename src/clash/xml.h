/* SPDX-License-Identifier: MIT */
/* Text and attributes of XML 1.0 from bytes that may hold anything; shared by the writers of JUnit and BCF. */
#ifndef GRZ_CLASH_XML_H
#define GRZ_CLASH_XML_H

#include "text/sink.h"

/* Escapes for attributes and text. Line ends become character references, since attributes would lose them; bytes that
 * are no UTF-8 become U+FFFD, and characters that XML cannot hold, not even escaped, are left out. */
void grz_xml_put(grz_sink *out, const char *text);

/* name="value", after a space. */
void grz_xml_put_attribute(grz_sink *out, const char *name, const char *value);

#endif
